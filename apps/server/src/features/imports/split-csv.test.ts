import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStoredRows, splitCsv } from "./split-csv.ts";

const split = (text: string, rows = 2, bytes = 1_000_000) => {
  const { batches, ...rest } = splitCsv(Buffer.from(text), { rows, bytes });
  const rowsOf = (stored: string) => {
    const rows = readStoredRows(stored);
    return Array.from({ length: rows.length }, (_, place) => rows.at(place));
  };
  return { ...rest, batches: batches.map(({ rows, ...batch }) => ({ ...batch, rows: rowsOf(rows()) })) };
};

describe("a CSV body", () => {
  it("is split into batches; lines without a value are not rows", () => {
    expect(split('\ufeffName,Email\r\n"Ana ""A"", x",a\n\n ,\r\n"two\nlines",b\r\nC,c,more\n')).toEqual({
      columns: ["Name", "Email"],
      total: 3,
      batches: [
        {
          firstRow: 0,
          rowCount: 2,
          rows: [
            ['Ana "A", x', "a"],
            ["two\nlines", "b"],
          ],
        },
        { firstRow: 2, rowCount: 1, rows: [["C", "c", "more"]] },
      ],
    });
  });

  it("keeps the cells as written", () => {
    const cell = fc.string({
      unit: fc.constantFrom('"', ",", "\n", "\r", "a", "é", "🙂", " ", "[", "\u0000"),
    });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 3 })),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom("\n", "\r\n"),
        (rows, size, bytes, end) => {
          const text = [["a", "b"], ...rows].map((row) => row.map(quoted).join(",")).join(end);
          const { total, batches } = split(text, size, bytes);
          expect([total, batches.flatMap((batch) => batch.rows)]).toEqual([rows.length, rows]);
        },
      ),
    );
  });

  it("limits a batch by its bytes too", () => {
    const { batches } = split("a\n1234\n12\n123456789012345\n1\n2\n3", 3, 8);
    expect(batches.map(({ firstRow, rowCount }) => [firstRow, rowCount])).toEqual([
      [0, 2],
      [2, 1],
      [3, 3],
    ]);
  });

  it("has the same rows in batches of any size", () => {
    const text = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", " ", "\u0000") });
    const rowsIn = (body: string, size: number) =>
      split(`a\n${body}`, size).batches.flatMap(({ rows }) => rows);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 3 }), (typed, size) => {
        fc.pre((typed.match(/"/g) ?? []).length % 2 === 0);
        expect(rowsIn(typed, size)).toEqual(rowsIn(typed, 1_000));
      }),
    );
  });

  it("is rejected when it is ambiguous or not UTF-8", () => {
    expect(() => split('a,b\n"never closed,1\n2,3')).toThrow("a quote that is not closed");
    expect(() => splitCsv(Buffer.from("Jos\xe9,1", "latin1"), { rows: 2, bytes: 9 })).toThrow("not UTF-8");
    expect(split("")).toEqual({ columns: [""], total: 0, batches: [] });
  });
});
