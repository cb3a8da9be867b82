import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";

/** What is sent at once: a page would lie in each buffer on the way to a slow reader. */
const pieceBytes = 32 * 1024;

export interface CsvColumn<Item> {
  header: string;
  of(item: Item): string | number | null;
}

async function* rowsOf<Item>(columns: CsvColumn<Item>[], pages: AsyncIterable<Item[]>) {
  for await (const items of pages) {
    for (const item of items) yield columns.map(({ of }) => of(item));
  }
}

/** Lines of CSV that PostgreSQL wrote (`platform/db/copy`), streamed below a line of headers. An error of the source ends the stream with it. */
export function csvOfLines(headers: string[], pages: AsyncIterable<Buffer>): Readable {
  async function* text() {
    // They are sent with the first page: a failure until then is answered as one.
    let head = Buffer.from(`\ufeff${headers.join(",")}\n`);
    for await (const lines of pages) {
      if (head.length > 0) yield head;
      head = Buffer.alloc(0);
      for (let at = 0; at < lines.length; at += pieceBytes) yield lines.subarray(at, at + pieceBytes);
    }
  }
  return Readable.from(text(), { objectMode: false, highWaterMark: pieceBytes });
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
