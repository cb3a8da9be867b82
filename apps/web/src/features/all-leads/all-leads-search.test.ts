import { describe, expect, it } from "vitest";
import { allLeadsQuery, hasActiveFilter, parseAllLeadsSearch } from "./all-leads-search.ts";

describe("the filters of All Leads", () => {
  it("are read from the address, ignoring unknown values", () => {
    const known = { search: "ana", status: "qualified", priority: "low", assignment: "unassigned" };
    const more = { source: "-", created: "week", converted: "month", called: "no", sort: "name" };
    expect(parseAllLeadsSearch({ ...known, ...more, rep: "3" })).toEqual({ ...known, ...more, rep: 3 });
    const opened = {
      sources: "others",
      converted: "previous-week",
      convertedOn: "2026-11-09",
      firstCall: "60",
    };
    expect(parseAllLeadsSearch({ ...opened, convertedUntil: "2026-11-15" })).toEqual({
      ...opened,
      convertedUntil: "2026-11-15",
    });
    expect(
      parseAllLeadsSearch({
        sources: "x",
        convertedOn: "2026-02-30",
        convertedUntil: "2026-03-01",
        firstCall: "61",
      }),
    ).toEqual({});
    expect(
      parseAllLeadsSearch({
        ...{ status: "all", priority: "", assignment: "all", rep: "-1", created: "all" },
        ...{ converted: "year", called: "maybe", sort: "newest", search: "" },
      }),
    ).toEqual({});
    expect(parseAllLeadsSearch({ converted: "all", created: "week" })).toEqual({
      status: "converted",
      created: "week",
    });
  });

  it("are inactive when only blanks or the order are set", () => {
    expect(hasActiveFilter({ search: "  ", sort: "name" })).toBe(false);
    expect(hasActiveFilter({ called: "no" })).toBe(true);
    expect(allLeadsQuery({ search: " ana ", status: undefined, sort: "oldest" })).toEqual({
      search: "ana",
      sort: "oldest",
    });
  });
});
