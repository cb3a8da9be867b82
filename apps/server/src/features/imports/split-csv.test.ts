import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCsv } from "./split-csv.ts";

const split = (text: string, batchRows = 2) => {
  const { batches, ...rest } = splitCsv(Buffer.from(text), batchRows);
  return { ...rest, batches: batches.map(({ rows, ...batch }) => ({ ...batch, rows: JSON.parse(rows()) })) };
};

describe("a CSV body", () => {
  it("is divided into batches; lines without a value are no rows", () => {
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

  it("holds the cells that were written", () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", "é", "🙂", " ") });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 3 })),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("\n", "\r\n"),
        (rows, size, end) => {
          const text = [["a", "b"], ...rows].map((row) => row.map(quoted).join(",")).join(end);
          const { total, batches } = split(text, size);
          expect([total, batches.flatMap((batch) => batch.rows)]).toEqual([rows.length, rows]);
        },
      ),
    );
  });

  it("is refused where it cannot be told what it holds", () => {
    expect(() => split('a,b\n"never closed,1\n2,3')).toThrow("a quote that is not closed");
    expect(() => splitCsv(Buffer.from("Jos\xe9,1", "latin1"), 2)).toThrow("not UTF-8");
    expect(split("")).toEqual({ columns: [""], total: 0, batches: [] });
  });
});
