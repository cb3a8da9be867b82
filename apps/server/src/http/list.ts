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
const streamPage = 500;
/** Counts beyond this are shown with a plus: an exact count of millions would cost more than it tells. */
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

interface PageSource<Row> extends RowSource<Row> {
  /** Rows of the whole filter, counted up to `cap` or less far. Asked only where a page is not all there is. */
  count(cap: number): Promise<number | CappedCount>;
}

export interface ListSource<Row, Item> extends PageSource<Row> {
  present(row: Row): Item;
}

/** A list whose items PostgreSQL wrote as JSON: they are passed through as text. */
export interface JsonListSource<Row> extends PageSource<Row> {
  json(row: Row): string;
}

/** Whether a page is asked for; without, the whole recorded array is. */
interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const isPage = ({ limit, cursor }: PageQuery) => limit !== undefined || cursor !== undefined;

/** All rows of a list, read page by page with flat memory and no connection held between pages. */
async function* rowsOf<Row>(source: RowSource<Row>): AsyncGenerator<Row[]> {
  let after: Keyset | null = null;
  for (;;) {
    const rows: Row[] = await source.fetch(after, streamPage);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < streamPage) return;
    after = source.keysetOf(last);
  }
}

/** All items of a list, as `rowsOf` reads them. */
export async function* itemsOf<Row, Item>(
  source: Omit<ListSource<Row, Item>, "count">,
): AsyncGenerator<Item[]> {
  for await (const rows of rowsOf(source)) yield rows.map(source.present);
}

async function* jsonOf<Row>(source: Omit<JsonListSource<Row>, "count">): AsyncGenerator<string> {
  yield "[";
  let first = true;
  for await (const rows of rowsOf(source)) {
    yield (first ? "" : ",") + rows.map(source.json).join(",");
    first = false;
  }
  yield "]";
}

const json = "application/json; charset=utf-8";

/** The rows of a page, its total and next cursor in the headers. */
async function pageOf<Row>(reply: FastifyReply, query: PageQuery, source: PageSource<Row>): Promise<Row[]> {
  const limit = query.limit ?? streamPage;
  const after = query.cursor ? decodeCursor(query.cursor) : null;
  const rows = await source.fetch(after, limit + 1).catch((error: unknown) => {
    if (after && isDataFault(error)) refuseCursor();
    throw error;
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isMore = rows.length > limit;
  if (last && isMore) reply.header(pageHeaders.cursor, encodeCursor(source.keysetOf(last)));
  if (!after) {
    const counted = isMore ? await source.count(countCap + 1) : rows.length;
    const { n, isMore: isOpen } = typeof counted === "number" ? { n: counted, isMore: false } : counted;
    // The page itself knows of rows that the count did not come across.
    const total = Math.min(Math.max(n, page.length), countCap);
    reply.header(pageHeaders.total, isOpen || n > countCap ? `${total}+` : String(total));
  }
  return page;
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
  if (isPage(query)) return (await pageOf(reply, query, source)).map(source.present);
  const items = { ...source, json: (row: Row) => JSON.stringify(source.present(row)) };
  return reply.type(json).send(Readable.from(jsonOf(items)));
}

/** Answers a list in the same way, with items that are JSON already. Nothing filters them: the SQL writes what the contract says. */
export async function answerJsonList<Row>(
  reply: FastifyReply,
  query: PageQuery,
  source: JsonListSource<Row>,
): Promise<FastifyReply> {
  if (!isPage(query)) return reply.type(json).send(Readable.from(jsonOf(source)));
  const rows = await pageOf(reply, query, source);
  return reply.type(json).send(Buffer.from(`[${rows.map(source.json).join(",")}]`));
}
