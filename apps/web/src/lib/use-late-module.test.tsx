import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLateModule } from "./use-late-module.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("fetches nothing unwanted, and tries again after a failure without taking the page down", async () => {
  const load = vi.fn<() => Promise<{ word: string }>>();
  load.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue({ word: "there" });
  function Probe({ isWanted }: { isWanted: boolean }) {
    return <p>{useLateModule(load, isWanted)?.word ?? "waiting"}</p>;
  }
  const { rerender } = render(<Probe isWanted={false} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Probe isWanted />);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.queryByText("waiting")).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.queryByText("there")).not.toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});
