import { Readable } from "node:stream";
import { pageHeaders } from "@portal/contract/entities/fields";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { postgresCode } from "../db/client.ts";
import { AppError } from "./app-error.ts";

/** Where a page ended: the sort key of its last row as PostgreSQL writes it, and the row's id. */
export interface Keyset {
  at: string;
  id: number;
}

const keysetSchema = z.object({ at: z.string().max(2_000), id: z.int() });
/** Rows of a page where only a cursor says which. */
const defaultPage = 500;
/** Rows that are read at once for a list that is streamed: whoever reads slowly holds them, and the memory they take. */
const streamPage = 250;
const pieceLength = 32 * 1024;
/** Counts beyond this are shown with a plus: an exact count of millions would cost more than it is worth. */
const countCap = 1_000;

/** A cursor as it travels: opaque to the browser. */
function encodeCursor(keyset: Keyset): string {
  return Buffer.from(JSON.stringify(keyset)).toString("base64url");
}

/** A cursor that this server did not make. */
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

/** PostgreSQL's class of values that are none, for example the 45th of a month. */
function isDataFault(error: unknown): boolean {
  return postgresCode(error)?.startsWith("22") === true;
}

interface RowSource<Row> {
  /** Rows after the keyset (from the beginning without one), at most `limit`. */
  fetch(after: Keyset | null, limit: number): Promise<Row[]>;
  keysetOf(row: Row): Keyset;
}

/** So many rows were counted; `isMore` where there may be others. */
interface CappedCount {
  n: number;
  isMore: boolean;
}

export interface ListSource<Row, Item> extends RowSource<Row> {
  /** Rows of the whole filter, counted up to `cap` or less far. Asked only where the first page is not all there is. */
  count(cap: number): Promise<number | CappedCount>;
  present(row: Row): Item;
}

/** Whether a page is asked for; without, the whole recorded array is. */
interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const isPage = ({ limit, cursor }: PageQuery) => limit !== undefined || cursor !== undefined;

/** All rows of a list, read page by page with flat memory and no connection held between pages. */
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

/** The items of an array's text, separated, in pieces: a page at once would lie in each buffer on the way to a slow reader. */
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

/** The whole recorded array of a list, for an answer that is read as it is made. */
export function listStream<Row, Item>(source: Omit<ListSource<Row, Item>, "count">): Readable {
  async function* text() {
    // Nothing is sent before the first page is there: a failure until then is answered as one.
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

const json = "application/json; charset=utf-8";

/** A page, its total and next cursor in the headers: one row more shows whether there are others. */
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
    // The page itself knows of rows that the count did not come across.
    const total = Math.min(Math.max(n, rows.length), countCap);
    reply.header(pageHeaders.total, isOpen || n > countCap ? `${total}+` : String(total));
  }
  return rows.map(source.present);
}

/**
 * Answers a list. With `limit` a keyset page, its total and next cursor in the headers; without, the whole recorded array,
 * streamed page by page with flat memory and no connection held between pages. Errors: `invalid` for a cursor of someone's own making.
 */
export async function answerList<Row, Item>(
  reply: FastifyReply,
  query: PageQuery,
  source: ListSource<Row, Item>,
): Promise<Item[] | FastifyReply> {
  if (isPage(query)) return pageOf(reply, query, source);
  return reply.type(json).send(listStream(source));
}

/** What a filter of a query chooses: an empty value and 'all' mean none. */
export function filterValue<T extends string>(value: T | "all" | "" | undefined): T | undefined {
  return value === "all" || value === "" ? undefined : value;
}
