import { act, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Tooltip, tooltipPosition } from "./tooltip.tsx";

const two = (
  <>
    <Tooltip content="First words">
      <button type="button">One</button>
    </Tooltip>
    <Tooltip content="Second words">
      <button type="button">Two</button>
    </Tooltip>
  </>
);
const button = (name: string) => screen.getByRole("button", { name });
const shown = () => screen.queryAllByRole("tooltip").map(({ textContent }) => textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe("a tooltip under the pointer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // The page is shared with other tests, whose last tooltip closed by another clock.
    const { unmount } = render(two);
    fireEvent.pointerEnter(button("One"), { pointerType: "mouse" });
    pass(700);
    unmount();
    pass(1_000);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("opens after 700 ms, the next one at once, one at a time, and not on touch", () => {
    render(two);
    fireEvent.pointerEnter(button("One"), { pointerType: "touch" });
    pass(1_000);
    expect(shown()).toEqual([]);
    fireEvent.pointerEnter(button("One"), { pointerType: "mouse" });
    pass(699);
    expect(shown()).toEqual([]);
    pass(1);
    expect(shown()).toEqual(["First words"]);
    expect(button("One").getAttribute("aria-describedby")).toBe(screen.getByRole("tooltip").id);
    fireEvent.pointerLeave(button("One"));
    pass(200);
    expect(shown()).toEqual([]);
    fireEvent.pointerEnter(button("Two"), { pointerType: "mouse" });
    pass(0);
    expect(shown()).toEqual(["Second words"]);
  });

  it("stays while the pointer is on it, and closes on a press", () => {
    render(two);
    fireEvent.pointerEnter(button("One"), { pointerType: "mouse" });
    pass(700);
    fireEvent.pointerLeave(button("One"));
    fireEvent.pointerEnter(screen.getByRole("tooltip"));
    pass(5_000);
    expect(shown()).toEqual(["First words"]);
    fireEvent.pointerDown(button("One"));
    expect(shown()).toEqual([]);
  });
});

it("opens on keyboard focus, and Escape closes only the tooltip", async () => {
  const user = userEvent.setup();
  const onEscape = vi.fn();
  document.addEventListener("keydown", onEscape, true);
  render(two);
  await user.tab();
  expect(shown()).toEqual(["First words"]);
  await user.tab();
  expect(shown()).toEqual(["Second words"]);
  onEscape.mockClear();
  await user.keyboard("{Escape}");
  expect(shown()).toEqual([]);
  expect(onEscape).not.toHaveBeenCalled();
  document.removeEventListener("keydown", onEscape, true);
});

describe("the position of a tooltip", () => {
  const viewport = { width: 400, height: 300 };
  const size = { width: 100, height: 20 };
  const anchor = { left: 150, top: 100, width: 40, height: 40 };

  it("is on its side, centered", () => {
    expect(tooltipPosition({ anchor, size, viewport, side: "top" })).toEqual({ left: 120, top: 74 });
    expect(tooltipPosition({ anchor, size, viewport, side: "right" })).toEqual({ left: 196, top: 110 });
  });

  it("is on the opposite side if only that has room, and always within the screen", () => {
    const high = { ...anchor, top: 4 };
    expect(tooltipPosition({ anchor: high, size, viewport, side: "top" })).toEqual({ left: 120, top: 50 });
    const corner = { ...anchor, left: 380 };
    expect(tooltipPosition({ anchor: corner, size, viewport, side: "top" }).left).toBe(292);
  });
});
