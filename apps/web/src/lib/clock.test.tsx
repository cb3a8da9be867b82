import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { RelativeTime } from "./clock.tsx";

it("updates relative times as time passes, with one timer for all of them", () => {
  vi.useFakeTimers();
  try {
    const at = new Date().toISOString();
    render(
      <ul>
        {[1, 2, 3].map((row) => (
          <li key={row}>
            <RelativeTime at={at} />
          </li>
        ))}
      </ul>,
    );
    const shown = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(shown()).toEqual(["now", "now", "now"]);
    expect(vi.getTimerCount()).toBe(1);
    act(() => vi.advanceTimersByTime(61_000));
    expect(shown()).toEqual(Array(3).fill("1 minute ago"));
    act(() => vi.advanceTimersByTime(180_000));
    expect(shown()).toEqual(Array(3).fill("4 minutes ago"));
  } finally {
    vi.useRealTimers();
  }
});
