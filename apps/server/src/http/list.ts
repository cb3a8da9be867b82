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

const keysetSchema = z.object({ at: z.string().max(1_000), id: z.int() });
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

export interface ListSource<Row, Item> {
  /** Rows after the keyset (from the newest without one), at most `limit`. */
  fetch(after: Keyset | null, limit: number): Promise<Row[]>;
  keysetOf(row: Row): Keyset;
  present(row: Row): Item;
  /** Rows of the whole filter, counted up to `cap`. */
  count(cap: number): Promise<number>;
}

/** All items of a list, read page by page with flat memory and no connection held between pages. */
export async function* itemsOf<Row, Item>(
  source: Omit<ListSource<Row, Item>, "count">,
): AsyncGenerator<Item[]> {
  let after: Keyset | null = null;
  for (;;) {
    const rows: Row[] = await source.fetch(after, streamPage);
    const last = rows.at(-1);
    if (last) yield rows.map(source.present);
    if (!last || rows.length < streamPage) return;
    after = source.keysetOf(last);
  }
}

async function* jsonOf<Row, Item>(source: ListSource<Row, Item>): AsyncGenerator<string> {
  yield "[";
  let first = true;
  for await (const items of itemsOf(source)) {
    yield (first ? "" : ",") + items.map((item) => JSON.stringify(item)).join(",");
    first = false;
  }
  yield "]";
}

/**
 * Answers a list. With `limit` a keyset page, its total and next cursor in the headers; without, the whole recorded array,
 * streamed page by page with flat memory and no connection held between pages. Errors: `invalid` for a cursor of someone's own making.
 */
export async function answerList<Row, Item>(
  reply: FastifyReply,
  query: { limit?: number | undefined; cursor?: string | undefined },
  source: ListSource<Row, Item>,
): Promise<Item[] | FastifyReply> {
  if (query.limit === undefined && query.cursor === undefined) {
    return reply.type("application/json; charset=utf-8").send(Readable.from(jsonOf(source)));
  }
  const limit = query.limit ?? streamPage;
  const after = query.cursor ? decodeCursor(query.cursor) : null;
  const rows = await source.fetch(after, limit + 1).catch((error: unknown) => {
    if (after && isDataFault(error)) refuseCursor();
    throw error;
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last && rows.length > limit) reply.header(pageHeaders.cursor, encodeCursor(source.keysetOf(last)));
  if (!after) {
    const total = await source.count(countCap + 1);
    reply.header(pageHeaders.total, total > countCap ? `${countCap}+` : String(total));
  }
  return page.map(source.present);
}
