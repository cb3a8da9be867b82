import { describe, expect, it } from "vitest";
import { hasActiveFilter, leadListQuery, parseLeadFilters } from "./lead-search.ts";

describe("the filters of the leads page", () => {
  it("are read from the address: search, status and priority", () => {
    expect(parseLeadFilters({ search: "maria", status: "interested", priority: "high" })).toEqual({
      search: "maria",
      status: "interested",
      priority: "high",
    });
  });

  it("are read from the address: the language of the leads", () => {
    expect(parseLeadFilters({ language: "unknown" })).toEqual({ language: "unknown" });
    expect(hasActiveFilter(parseLeadFilters({ language: "fr" }))).toBe(false);
  });

  it("ignore unknown values", () => {
    expect(hasActiveFilter(parseLeadFilters({ status: "all", priority: "urgent", search: "" }))).toBe(false);
    expect(hasActiveFilter(parseLeadFilters({ status: ["new"], search: { a: 1 } }))).toBe(false);
  });

  it("cut a search at the limit of the contract", () => {
    expect(parseLeadFilters({ search: "x".repeat(500) }).search).toHaveLength(200);
  });

  it("give equal queries for searches that differ only in surrounding spaces", () => {
    expect(leadListQuery({ search: " ana " })).toEqual(leadListQuery({ search: "ana" }));
    expect(leadListQuery({ search: "  " })).toEqual({});
  });
});
