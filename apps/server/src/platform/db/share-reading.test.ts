import { afterEach, expect, it, vi } from "vitest";
import { shareReading } from "./share-reading.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Readings that a test ends one by one; each returns its number. */
function byHand(isCostly: boolean) {
  const ends: ((failure?: Error) => void)[] = [];
  const ask = shareReading(
    () =>
      new Promise<number>((resolve, reject) => {
        const n = ends.length + 1;
        ends.push((failure) => (failure ? reject(failure) : resolve(n)));
      }),
    () => isCostly,
  );
  return { ask, ends };
}

it("reads once for all requests that arrived during the previous read", async () => {
  const { ask, ends } = byHand(false);
  const first = ask();
  const [second, third] = [ask(), ask()];
  ends[0]?.();
  expect(await first).toBe(1);
  await vi.waitFor(() => expect(ends).toHaveLength(2), 50_000);
  ends[1]?.();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  const fourth = ask();
  ends[2]?.(new Error("no database"));
  await expect(fourth).rejects.toThrow("no database");
  const fifth = ask();
  ends[3]?.();
  expect(await fifth).toBe(4);
});

it("reuses an expensive result for ten times as long as it took, then refreshes it, and never returns an expired one", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { ask, ends } = byHand(true);
  const first = ask();
  vi.advanceTimersByTime(2_000);
  ends[0]?.();
  expect(await first).toBe(1);
  vi.advanceTimersByTime(19_900);
  expect(await ask()).toBe(1);
  expect(ends).toHaveLength(1);
  vi.advanceTimersByTime(200);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await vi.waitFor(async () => expect(await ask()).toBe(2), 50_000);
  vi.advanceTimersByTime(120_000);
  const late = ask();
  ends[2]?.();
  expect(await late).toBe(3);
});
