import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchesOf } from "./service.ts";
import { createRowReader, readStoredRows, splitCsv, splitLeads } from "./split-rows.ts";

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

const splitText = (text: string, rows = 2, bytes = 1_000_000) => {
  const { batches, ...rest } = splitCsv(Buffer.from(text), { rows, bytes });
  const rowsOf = (stored: string) => {
    const rows = readStoredRows(stored);
    return Array.from({ length: rows.length }, (_, place) => rows.at(place));
  };
  return { ...rest, batches: batches.map(({ rows, ...batch }) => ({ ...batch, rows: rowsOf(rows()) })) };
};

describe("a CSV body", () => {
  it("is split into batches; lines without a value are not rows", () => {
    expect(splitText('\ufeffName,Email\r\n"Ana ""A"", x",a\n\n ,\r\n"two\nlines",b\r\nC,c,more\n')).toEqual({
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
          const { total, batches } = splitText(text, size, bytes);
          expect([total, batches.flatMap((batch) => batch.rows)]).toEqual([rows.length, rows]);
        },
      ),
    );
  });

  it("limits a batch by its bytes too", () => {
    const { batches } = splitText("a\n1234\n12\n123456789012345\n1\n2\n3", 3, 8);
    expect(batches.map(({ firstRow, rowCount }) => [firstRow, rowCount])).toEqual([
      [0, 2],
      [2, 1],
      [3, 3],
    ]);
  });

  it("has the same rows in batches of any size", () => {
    const text = fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", " ", "\u0000") });
    const rowsIn = (body: string, size: number) =>
      splitText(`a\n${body}`, size).batches.flatMap(({ rows }) => rows);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 3 }), (typed, size) => {
        fc.pre((typed.match(/"/g) ?? []).length % 2 === 0);
        expect(rowsIn(typed, size)).toEqual(rowsIn(typed, 1_000));
      }),
    );
  });

  it("is rejected when it is ambiguous or not UTF-8", () => {
    expect(() => splitText('a,b\n"never closed,1\n2,3')).toThrow("a quote that is not closed");
    expect(() => splitCsv(Buffer.from("Jos\xe9,1", "latin1"), { rows: 2, bytes: 9 })).toThrow("not UTF-8");
    expect(splitText("")).toEqual({ columns: [""], total: 0, batches: [] });
  });
});

it("resumes in the middle of a stored batch, of CSV and of JSON", async () => {
  const csv = "Name,Email\nAna,ana@example.com\n\nBea,bea\nCarla,carla@example.com";
  const { columns, batches } = splitCsv(Buffer.from(csv), { rows: 10, bytes: 1_000_000 });
  const cells = [
    ["Ana", "ana@example.com"],
    ["Bea", "bea"],
    ["Carla", "carla@example.com"],
  ];
  const read = createRowReader(
    { columns, mapping: null, sourceSystem: "CSV Import", duplicates: "skip" },
    "US",
  );
  for (const stored of [batches[0]?.rows() ?? "", JSON.stringify(cells)]) {
    const rows = await read(readStoredRows(stored), 1, 2_001);
    expect(rows.map(({ row, reasons, lead }) => [row, lead.columns.name, reasons.length])).toEqual([
      [2_001, "Bea", 1],
      [2_002, "Carla", 0],
    ]);
    expect(rows.map(({ raws, place }) => raws.at(place))).toEqual(cells.slice(1));
  }
});
