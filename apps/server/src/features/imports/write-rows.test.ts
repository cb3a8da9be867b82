import { expect, it } from "vitest";
import { readStoredRows, splitCsv } from "./split-rows.ts";
import { createRowReader } from "./write-rows.ts";

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
