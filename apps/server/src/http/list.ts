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
/** Of what the database writes more is read at once: the leads of most consultants. */
const textPage = 1_000;
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

async function* jsonOf<Row, Item>(source: Omit<ListSource<Row, Item>, "count">): AsyncGenerator<string> {
  yield "[";
  let first = true;
  for await (const items of itemsOf(source)) {
    yield (first ? "" : ",") + items.map((item) => JSON.stringify(item)).join(",");
    first = false;
  }
  yield "]";
}

const json = "application/json; charset=utf-8";

/** Items of a page, and where those after them begin: null where none are left. */
interface Page<Item> {
  items: Item[];
  next: Keyset | null;
}

/** What pages are read from: at most `limit` items after the keyset (from the beginning without one). */
export interface PageSource<Found extends Page<unknown>> {
  fetch(after: Keyset | null, limit: number): Promise<Found>;
  /** Items of the whole filter, counted up to `cap` or less far. Asked only where the first page is not all there is. */
  count(cap: number, first: Found): Promise<number | CappedCount>;
}

/** A page, its total and next cursor in the headers. */
async function pageOf<Found extends Page<unknown>>(
  reply: FastifyReply,
  query: PageQuery,
  source: PageSource<Found>,
): Promise<Found> {
  const after = query.cursor ? decodeCursor(query.cursor) : null;
  const page = await source.fetch(after, query.limit ?? streamPage).catch((error: unknown) => {
    if (after && isDataFault(error)) refuseCursor();
    throw error;
  });
  const { items, next } = page;
  if (next) reply.header(pageHeaders.cursor, encodeCursor(next));
  if (!after) {
    const counted = next ? await source.count(countCap + 1, page) : items.length;
    const { n, isMore: isOpen } = typeof counted === "number" ? { n: counted, isMore: false } : counted;
    // The page itself knows of rows that the count did not come across.
    const total = Math.min(Math.max(n, items.length), countCap);
    reply.header(pageHeaders.total, isOpen || n > countCap ? `${total}+` : String(total));
  }
  return page;
}

/** Pages of rows: one row more tells whether there are more. */
function pagesOf<Row, Item>(source: ListSource<Row, Item>): PageSource<Page<Row>> {
  return {
    async fetch(after, limit) {
      const rows = await source.fetch(after, limit + 1);
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return { items, next: last && rows.length > limit ? source.keysetOf(last) : null };
    },
    count: source.count,
  };
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
  if (isPage(query)) return (await pageOf(reply, query, pagesOf(source))).items.map(source.present);
  return reply.type(json).send(Readable.from(jsonOf(source)));
}

async function* textOf<Found extends Page<string>>(
  source: PageSource<Found>,
  { items, next }: Found,
): AsyncGenerator<string> {
  yield `[${items.join(",")}`;
  let after = next;
  while (after) {
    const page: Found = await source.fetch(after, textPage);
    if (page.items.length > 0) yield `,${page.items.join(",")}`;
    after = page.next;
  }
  yield "]";
}

/** Answers JSON that is written already. Checking it against the schema once more would take longer than reading it. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type(json).send(text);
}

/** Answers a list in the same way, whose items are written already. */
export async function answerLargeList<Found extends Page<string>>(
  reply: FastifyReply,
  query: PageQuery,
  source: PageSource<Found>,
): Promise<FastifyReply> {
  const isWhole = !isPage(query);
  const first = isWhole ? await source.fetch(null, textPage) : await pageOf(reply, query, source);
  if (isWhole && first.next) return reply.type(json).send(Readable.from(textOf(source, first)));
  return sendJson(reply, `[${first.items.join(",")}]`);
}
