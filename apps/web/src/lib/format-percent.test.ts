import { describe, expect, it } from "vitest";
import { formatPercent, percentagesOf } from "./format-percent.ts";

describe("percentages", () => {
  it.each([
    { counts: [2, 34], shares: ["5.6%", "94.4%"] },
    { counts: [1, 1, 1], shares: ["33.3%", "33.3%", "33.3%"] },
    { counts: [5, 0, 0], shares: ["100%", "0%", "0%"] },
    { counts: [1, 4_999], shares: ["<0.1%", ">99.9%"] },
    { counts: [0, 0], shares: ["0%", "0%"] },
    { counts: [], shares: [] },
  ])("of $counts are $shares, each rounded on its own", ({ counts, shares }) => {
    expect(percentagesOf(counts).map((share) => formatPercent(share))).toEqual(shares);
  });
});
