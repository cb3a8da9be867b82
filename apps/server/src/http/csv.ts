import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";

export interface CsvColumn<Item> {
  header: string;
  of(item: Item): string | number | null;
}

async function* rowsOf<Item>(columns: CsvColumn<Item>[], pages: AsyncIterable<Item[]>) {
  for await (const items of pages) {
    for (const item of items) yield columns.map(({ of }) => of(item));
  }
}

/** Lines of CSV that PostgreSQL wrote (`db/copy-csv`), streamed below a line of headers. An error of the source ends the stream with it. */
export function csvOfLines(headers: string[], pages: AsyncIterable<Buffer>): Readable {
  async function* text() {
    yield Buffer.from(`\ufeff${headers.join(",")}\n`);
    yield* pages;
  }
  return Readable.from(text(), { objectMode: false });
}

/**
 * Items as CSV (RFC 4180, with the byte order mark that spreadsheets want), streamed. A cell that a spreadsheet would take for a
 * formula begins with an apostrophe. An error of the source ends the stream with it.
 */
export function csvOf<Item>(columns: CsvColumn<Item>[], pages: AsyncIterable<Item[]>): Readable {
  const csv = stringify({
    bom: true,
    header: true,
    columns: columns.map(({ header }) => header),
    record_delimiter: "windows",
    // A lone line feed in a note is a line break as well.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  // A failure reaches the answer through `csv`, which the pipeline destroys with it.
  pipeline(Readable.from(rowsOf(columns, pages)), csv, () => undefined);
  return csv;
}
