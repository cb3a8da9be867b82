import { describe, expect, it } from "vitest";
import { sharesOf } from "./shares.ts";

describe("shares", () => {
  it.each([
    { counts: [1, 1, 1], shares: [34, 33, 33] },
    { counts: [2, 1], shares: [67, 33] },
    { counts: [5, 0, 0], shares: [100, 0, 0] },
    { counts: [1, 1, 1, 1, 1, 1, 1], shares: [15, 15, 14, 14, 14, 14, 14] },
    { counts: [0, 0], shares: [0, 0] },
    { counts: [], shares: [] },
  ])("of $counts are $shares and add up", ({ counts, shares }) => {
    expect(sharesOf(counts)).toEqual(shares);
  });
});
