import { describe, expect, it } from "vitest";
import { hasActiveFilter, leadListQuery, parseLeadFilters } from "./lead-search.ts";

describe("the filters of the leads page", () => {
  it("reads search, status and priority from the address", () => {
    expect(parseLeadFilters({ search: "maria", status: "interested", priority: "high" })).toEqual({
      search: "maria",
      status: "interested",
      priority: "high",
    });
  });

  it("reads the language of the leads", () => {
    expect(parseLeadFilters({ language: "unknown" })).toEqual({ language: "unknown" });
    expect(hasActiveFilter(parseLeadFilters({ language: "fr" }))).toBe(false);
  });

  it("leaves out what it does not know", () => {
    expect(hasActiveFilter(parseLeadFilters({ status: "all", priority: "urgent", search: "" }))).toBe(false);
    expect(hasActiveFilter(parseLeadFilters({ status: ["new"], search: { a: 1 } }))).toBe(false);
  });

  it("cuts a search at the limit of the contract", () => {
    expect(parseLeadFilters({ search: "x".repeat(500) }).search).toHaveLength(200);
  });

  it("gives equal queries for searches that differ in outer spaces only", () => {
    expect(leadListQuery({ search: " ana " })).toEqual(leadListQuery({ search: "ana" }));
    expect(leadListQuery({ search: "  " })).toEqual({});
  });
});
