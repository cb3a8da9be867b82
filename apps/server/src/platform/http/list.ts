import { pipeline, Readable } from "node:stream";
import { pageHeaders } from "@portal/contract/entities/fields";
import { stringify } from "csv-stringify";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { postgresCode } from "../db/client.ts";
import { AppError } from "./app-error.ts";

/** Keyset of a page's end: the sort key of its last row as PostgreSQL writes it, and the row's id. */
export interface Keyset {
  at: string;
  id: number;
}

const keysetSchema = z.object({ at: z.string().max(2_000), id: z.int() });
/** Default size of a page that is asked for by cursor alone. */
const defaultPage = 500;
/** Rows read at once for a streamed list: a slow reader holds them in memory. */
const streamPage = 250;
const pieceLength = 32 * 1024;
/** Higher counts are shown with a plus: an exact count of millions would be too slow. */
const countCap = 1_000;

/** Encodes a keyset as a cursor, which is opaque to the browser. */
function encodeCursor(keyset: Keyset): string {
  return Buffer.from(JSON.stringify(keyset)).toString("base64url");
}

/** Error for a cursor that this server did not issue. */
function refuseCursor(): never {
  throw new AppError("invalid", "The cursor is not valid. Load the list again from its beginning.");
}

function decodeCursor(cursor: string): Keyset {
  try {
    return keysetSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    refuseCursor();
  }
}

/** PostgreSQL's class of invalid values (data exception), for example the 45th of a month. */
function isDataFault(error: unknown): boolean {
  return postgresCode(error)?.startsWith("22") === true;
}

interface RowSource<Row> {
  /** Rows after the keyset (from the beginning without one), at most `limit`. */
  fetch(after: Keyset | null, limit: number): Promise<Row[]>;
  keysetOf(row: Row): Keyset;
}

/** The number of rows counted; `isMore` where there may be more. */
interface CappedCount {
  n: number;
  isMore: boolean;
}

export interface ListSource<Row, Item> extends RowSource<Row> {
  /** Counts the rows of the filter up to `cap` at most. Called only where the first page does not hold them all. */
  count(cap: number): Promise<number | CappedCount>;
  present(row: Row): Item;
}

/** Whether the request asks for a page rather than for the whole array. */
interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const isPage = ({ limit, cursor }: PageQuery) => limit !== undefined || cursor !== undefined;

/** All rows of a list, read page by page in constant memory and without holding a connection between pages. */
async function* rowsOf<Row>(source: RowSource<Row>, pageSize = streamPage): AsyncGenerator<Row[]> {
  let after: Keyset | null = null;
  for (;;) {
    const rows: Row[] = await source.fetch(after, pageSize);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < pageSize) return;
    after = source.keysetOf(last);
  }
}

/** All items of a list, as `rowsOf` reads them. */
export async function* itemsOf<Row, Item>(
  source: Omit<ListSource<Row, Item>, "count">,
): AsyncGenerator<Item[]> {
  for await (const rows of rowsOf(source)) yield rows.map(source.present);
}

/** The items as JSON text with separators, in pieces: a whole page would be held in every buffer on the way to a slow reader. */
function* piecesOf<Item>(items: Item[]): Generator<string> {
  let piece = "";
  for (const item of items) {
    piece += piece === "" ? JSON.stringify(item) : `,${JSON.stringify(item)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** A whole list as a streamed JSON array. */
export function listStream<Row, Item>(source: Omit<ListSource<Row, Item>, "count">): Readable {
  async function* text() {
    // Nothing is sent before the first page was read, so that a failure before it still becomes an error response.
    let before = "[";
    for await (const items of itemsOf(source)) {
      for (const piece of piecesOf(items)) {
        yield before + piece;
        before = ",";
      }
    }
    yield before === "[" ? "[]" : "]";
  }
  return Readable.from(text(), { objectMode: false, highWaterMark: pieceLength });
}

/** A whole list as a stream of JSON objects, one a line. */
export function lineStream<Row, Item>(source: Omit<ListSource<Row, Item>, "count">): Readable {
  async function* text() {
    for await (const items of itemsOf(source)) for (const item of items) yield `${JSON.stringify(item)}\n`;
  }
  return Readable.from(text(), { objectMode: false, highWaterMark: pieceLength });
}

const json = "application/json; charset=utf-8";

/** Sends a page with its total and next cursor in the headers. It reads one row more to know whether another page follows. */
async function pageOf<Row, Item>(
  reply: FastifyReply,
  { cursor, limit = defaultPage }: PageQuery,
  source: ListSource<Row, Item>,
): Promise<Item[]> {
  const after = cursor ? decodeCursor(cursor) : null;
  const found = await source.fetch(after, limit + 1).catch((error: unknown) => {
    if (after && isDataFault(error)) refuseCursor();
    throw error;
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isMore = last !== undefined && found.length > limit;
  if (isMore) reply.header(pageHeaders.cursor, encodeCursor(source.keysetOf(last)));
  if (!after) {
    const counted = isMore ? await source.count(countCap + 1) : rows.length;
    const { n, isMore: isOpen } = typeof counted === "number" ? { n: counted, isMore: false } : counted;
    // The page may hold rows that the count stopped short of.
    const total = Math.min(Math.max(n, rows.length), countCap);
    reply.header(pageHeaders.total, isOpen || n > countCap ? `${total}+` : String(total));
  }
  return rows.map(source.present);
}

/**
 * Responds with a list: with `limit` a keyset page, its total and next cursor in the headers; without it the whole array, streamed page by
 * page in constant memory and without holding a connection between pages. Errors: `invalid` for a forged cursor.
 */
export async function answerList<Row, Item>(
  reply: FastifyReply,
  query: PageQuery,
  source: ListSource<Row, Item>,
): Promise<Item[] | FastifyReply> {
  if (isPage(query)) return pageOf(reply, query, source);
  return reply.type(json).send(listStream(source));
}

/** The value of a query's filter; an empty value and 'all' mean no filter. */
export function filterValue<T extends string>(value: T | "all" | "" | undefined): T | undefined {
  return value === "all" || value === "" ? undefined : value;
}

/** Bytes sent at once: a whole page would be held in every buffer on the way to a slow reader. */
const pieceBytes = 32 * 1024;

export interface CsvColumn<Item> {
  header: string;
  of(item: Item): string | number | null;
}

async function* cellsOf<Item>(columns: CsvColumn<Item>[], pages: AsyncIterable<Item[]>) {
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
  pipeline(Readable.from(cellsOf(columns, pages)), csv, () => undefined);
  return csv;
}
