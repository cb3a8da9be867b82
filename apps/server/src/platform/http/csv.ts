import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";

/** Bytes sent at once: a whole page would be held in every buffer on the way to a slow reader. */
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
    // The headers go out with the first page, so that a failure before it still becomes an error response.
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
    // A lone line feed in a note also counts as a line break, and is quoted.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  // The pipeline destroys `csv` with the error, which ends the response.
  pipeline(Readable.from(rowsOf(columns, pages)), csv, () => undefined);
  return csv;
}
