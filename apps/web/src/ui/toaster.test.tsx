import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { renderApp } from "../testing/render.tsx";
import { toast } from "./toast.ts";

function shownTitles(): (string | null)[] {
  return [...document.querySelectorAll("[data-toast]")].map(
    (element) => element.querySelector("p")?.textContent ?? null,
  );
}

describe("toasts", () => {
  it("are shown one at a time: the newer replaces the older", () => {
    renderApp(<p>page</p>);
    act(() => toast({ title: "First" }));
    act(() => toast({ title: "Second", description: "More" }));
    expect(document.querySelectorAll("[data-toast]")).toHaveLength(1);
    expect(shownTitles()).toEqual(["Second"]);
  });

  it("close after 5 seconds, not before", () => {
    vi.useFakeTimers();
    try {
      renderApp(<p>page</p>);
      act(() => toast({ title: "Saved" }));
      act(() => vi.advanceTimersByTime(4_999));
      expect(shownTitles()).toEqual(["Saved"]);
      act(() => vi.advanceTimersByTime(1));
      expect(shownTitles()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are shown for the full 5 seconds each", () => {
    vi.useFakeTimers();
    try {
      renderApp(<p>page</p>);
      act(() => toast({ title: "First" }));
      act(() => vi.advanceTimersByTime(4_000));
      act(() => toast({ title: "Second" }));
      act(() => vi.advanceTimersByTime(4_000));
      expect(shownTitles()).toEqual(["Second"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("close by their button", async () => {
    const { user } = renderApp(<p>page</p>);
    act(() => toast({ title: "Saved" }));
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(shownTitles()).toEqual([]);
  });

  it("stay while the window is not focused, or the pointer is on them", () => {
    vi.useFakeTimers();
    try {
      renderApp(<p>page</p>);
      act(() => toast({ title: "Saved" }));
      act(() => vi.advanceTimersByTime(4_000));
      fireEvent.blur(window);
      act(() => vi.advanceTimersByTime(60_000));
      fireEvent.focus(window);
      const [shown] = document.querySelectorAll("[data-toast]");
      if (shown) fireEvent.pointerEnter(shown);
      act(() => vi.advanceTimersByTime(60_000));
      if (shown) fireEvent.pointerLeave(shown);
      act(() => vi.advanceTimersByTime(999));
      expect(shownTitles()).toEqual(["Saved"]);
      act(() => vi.advanceTimersByTime(1));
      expect(shownTitles()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("return the focus to where it was", async () => {
    const { user } = renderApp(<input aria-label="name" />);
    screen.getByLabelText("name").focus();
    act(() => toast({ title: "Saved" }));
    await user.keyboard("{F8}{Tab}{Enter}");
    expect(shownTitles()).toEqual([]);
    expect(document.activeElement).toBe(screen.getByLabelText("name"));
  });

  it("receive the focus on F8", () => {
    renderApp(<p>page</p>);
    act(() => toast({ title: "Saved" }));
    fireEvent.keyDown(document, { key: "F8", code: "F8" });
    expect(document.activeElement?.closest("[aria-label='Notifications (F8)']")).not.toBeNull();
  });

  it.each([
    { moved: 49, remains: 1 },
    { moved: 51, remains: 0 },
  ])("swiped $moved px to the right leave $remains on screen", ({ moved, remains }) => {
    renderApp(<p>page</p>);
    act(() => toast({ title: "Saved" }));
    const element = document.querySelector("[data-toast]");
    if (!element) throw new Error("no toast");
    const at = (clientX: number) => ({ clientX, clientY: 0, button: 0, pointerId: 1, pointerType: "touch" });
    fireEvent.pointerDown(element, at(0));
    fireEvent.pointerMove(element, at(20));
    fireEvent.pointerMove(element, at(moved));
    fireEvent.pointerUp(element, at(moved));
    expect(document.querySelectorAll("[data-toast]")).toHaveLength(remains);
  });
});
