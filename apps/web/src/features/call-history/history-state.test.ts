import { describe, expect, it } from "vitest";
import { buildCallLog } from "../../testing/lead-builders.ts";
import { hasActiveFilter, historyQuery, parseHistorySearch } from "./history-search.ts";
import { mergeNewest } from "./queries.ts";

describe("the filters of the call history", () => {
  it("are read from the address, ignoring unknown values", () => {
    expect(
      parseHistorySearch({ search: "noon", outcome: "busy", range: "month", tab: "recordings" }),
    ).toEqual({
      search: "noon",
      outcome: "busy",
      range: "month",
      tab: "recordings",
    });
    expect(parseHistorySearch({ search: 7, outcome: "sold", range: "year", tab: "x" })).toEqual({});
    const opened = { day: "2026-02-28", weekday: "7", hour: "0", rep: "3", direction: "inbound" };
    expect(parseHistorySearch(opened)).toEqual({ ...opened, weekday: 7, hour: 0, rep: 3 });
    const before = { range: "previous-month", owner: "4", leadStatus: "contacted" };
    expect(parseHistorySearch(before)).toEqual({ ...before, owner: 4 });
    const days = { day: "2026-11-09", until: "2026-11-15", outcome: "none" };
    expect(parseHistorySearch(days)).toEqual(days);
    expect(parseHistorySearch({ ...days, until: "2026-11-08", outcome: "completed" })).toEqual({
      day: "2026-11-09",
      outcome: "completed",
    });
    expect(parseHistorySearch({ unknown: "true" })).toEqual({ unknown: "true" });
    expect(parseHistorySearch({ unknown: true })).toEqual({ unknown: "true" });
    const faulty = { day: "2026-02-30", weekday: "8", hour: "", rep: "1.5", direction: "up", unknown: "no" };
    expect(parseHistorySearch(faulty)).toEqual({});
  });

  it("are active when any of them is set, except for blanks, the tab and the order", () => {
    expect(hasActiveFilter({ hour: 0 })).toBe(true);
    expect(hasActiveFilter({ search: "  ", tab: "recordings" })).toBe(false);
    expect(hasActiveFilter({ range: "today" })).toBe(true);
    expect(parseHistorySearch({ sort: "oldest" })).toEqual({ sort: "oldest" });
    expect(parseHistorySearch({ sort: "longest" })).toEqual({});
    expect(hasActiveFilter({ sort: "oldest" })).toBe(false);
    expect(historyQuery({ search: " noon ", tab: "recordings" })).toEqual({ search: "noon" });
  });
});

describe("merging the newest page", () => {
  const page = (...ids: number[]) => ({
    items: ids.map((id) => buildCallLog({ id })),
    total: "9",
    nextCursor: "more",
  });
  const idsOf = (data: ReturnType<typeof mergeNewest>) =>
    data.pages.map(({ items }) => items.map(({ id }) => id));

  it("replaces known calls in place and puts new ones on top", () => {
    const known = { pages: [page(5, 4), page(3, 2)], pageParams: [null, "more"] };
    const changed = buildCallLog({ id: 3, outcome: "busy" });
    const newest = { ...page(7, 6, 5), total: "11" };
    const merged = mergeNewest(known, { ...newest, items: [...newest.items, changed] });
    expect(idsOf(merged)).toEqual([
      [7, 6, 5, 4],
      [3, 2],
    ]);
    expect(merged.pages[1]?.items[0]?.outcome).toBe("busy");
    expect(merged.pages[0]?.total).toBe("11");
    expect(merged.pageParams).toEqual([null, "more"]);
  });
});
