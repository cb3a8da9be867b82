import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchesOf } from "./service.ts";
import { splitLeads } from "./split-leads.ts";

const split = (text: string, rows = 2, bytes = 1_000_000) => {
  const result = splitLeads(Buffer.from(text), { rows, bytes });
  return (
    result && { ...result, batches: result.batches.map(({ rows, ...batch }) => ({ ...batch, rows: rows() })) }
  );
};

describe("the body of an import", () => {
  it("is split into batches without being parsed", () => {
    const text =
      '{ "sourceSystem": "x,\\"leads\\":[9]", "leads" : [ {"a":"]},{"}, [1,[2]], "t,\\"" ], "columns": ["leads"] }';
    expect(split(text)).toEqual({
      total: 3,
      batches: [
        { firstRow: 0, rowCount: 2, rows: '[ {"a":"]},{"}, [1,[2]]]' },
        { firstRow: 2, rowCount: 1, rows: '[ "t,\\"" ]' },
      ],
      body: { sourceSystem: 'x,"leads":[9]', leads: [null, null, null], columns: ["leads"] },
    });
  });

  it("limits a batch by its bytes too; a larger row is its own batch", () => {
    const sizes = (bytes: number) =>
      split('{"leads":["aaaa","bb",["cccccccccccc"],"d","e","f"]}', 4, bytes)?.batches.map(
        ({ firstRow, rowCount }) => [firstRow, rowCount],
      );
    expect(sizes(12)).toEqual([
      [0, 2],
      [2, 1],
      [3, 3],
    ]);
    expect(sizes(1_000)).toEqual([
      [0, 4],
      [4, 2],
    ]);
    expect(sizes(1)?.length).toBe(6);
  });

  it("has the same rows for any content", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(undefined, 1),
        (leads, size, bytes, indent) => {
          const body = { mapping: { leads: "[" }, leads, sourceSystem: "s" };
          const result = split(JSON.stringify(body, null, indent), size, bytes);
          expect(result?.total).toBe(leads.length);
          expect(result?.batches.flatMap(({ rows }) => JSON.parse(rows))).toEqual(
            leads.map((lead) => JSON.parse(JSON.stringify(lead))),
          );
          expect(result?.batches.every(({ rows, rowCount }) => JSON.parse(rows).length === rowCount)).toBe(
            true,
          );
        },
      ),
    );
  });

  it.each([
    '{"leads":{}}',
    "[]",
    '{"a":1}',
    '{"leads":[1',
    '{"le\\u0061ds":[1]}',
    '{"leads":[1],"leads":[2,3]}',
    "",
  ])("%s is left to the JSON parser", (text) => {
    expect(split(text)).toBeNull();
  });
});

it("rows that cannot be split are rejected, never treated as empty", () => {
  expect(() => batchesOf(undefined as unknown as unknown[])).toThrow("cannot be divided");
});
