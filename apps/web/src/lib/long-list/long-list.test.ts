import { describe, expect, it } from "vitest";
import { findNewItems, freshenRows } from "./use-fresh-rows.ts";
import { linkPage, pagesBetween, unreadChain } from "./use-paged-rows.ts";

describe("the chain of pages", () => {
  const whole = [
    { rows: 50, nextCursor: "b" },
    { rows: 200, nextCursor: "c" },
    { rows: 30, nextCursor: null },
  ];
  const chain = whole.reduce((so, page, index) => linkPage(so, index, page), unreadChain);

  it("records where each page starts, and the end once the last page is read", () => {
    expect(chain.starts).toEqual([
      { cursor: null, from: 0 },
      { cursor: "b", from: 50 },
      { cursor: "c", from: 250 },
    ]);
    expect(chain.end).toBe(280);
    expect(linkPage(chain, 1, { rows: 200, nextCursor: "c" })).toBe(chain);
    expect(linkPage(chain, 2, { rows: 30, nextCursor: null })).toBe(chain);
  });

  it("finds the pages of a range of rows, and the last page beyond the end", () => {
    expect(pagesBetween(chain, 0, 49)).toEqual([0]);
    expect(pagesBetween(chain, 49, 250)).toEqual([0, 1, 2]);
    expect(pagesBetween(chain, 60, 70)).toEqual([1]);
    expect(pagesBetween(chain, 900, 950)).toEqual([2]);
    expect(pagesBetween(unreadChain, 0, 400)).toEqual([0]);
  });

  it("drops the pages after one whose end has changed", () => {
    expect(linkPage(chain, 0, { rows: 50, nextCursor: "other" })).toEqual({
      starts: [
        { cursor: null, from: 0 },
        { cursor: "other", from: 50 },
      ],
      end: null,
    });
    expect(linkPage(chain, 1, { rows: 7, nextCursor: null }).end).toBe(57);
  });
});

describe("new rows in a list that is on screen", () => {
  const page = (total: string, ...ids: number[]) => ({
    items: ids.map((id) => ({ id, name: `Row ${id} of ${total}` })),
    total,
    nextCursor: "more",
  });

  it("are counted above the first known row", () => {
    const first = page("11", 9, 8, 7, 6);
    expect(findNewItems(page("9", 7, 6, 5), first, true)).toEqual({ first, count: 2, isMany: false });
    expect(findNewItems(page("9", 3, 2), first, true)).toEqual({ first, count: 4, isMany: true });
    expect(findNewItems(page("9", 7, 6), page("9", 7, 5), true)).toBeNull();
    // 6 left the list: it was between two that stayed.
    expect(findNewItems(page("9+", 7, 6, 5), page("9+", 7, 5, 4), true)).toMatchObject({ count: 0 });
  });

  it("are detected by the total if the newest are not on top", () => {
    expect(findNewItems(page("9", 1, 2), page("10", 1, 2), false)).toMatchObject({ count: 0 });
    expect(findNewItems(page("9", 1, 2), page("9", 1, 2), false)).toBeNull();
  });

  it("update known rows in place", () => {
    const fresh = freshenRows(page("9", 3, 2, 1), page("10", 4, 3, 1));
    expect(fresh.items.map(({ name }) => name)).toEqual(["Row 3 of 10", "Row 2 of 9", "Row 1 of 10"]);
    expect(fresh.total).toBe("9");
  });
});
