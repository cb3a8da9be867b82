import type { RouteResponse } from "@portal/contract/route";
import type { searchEverything } from "@portal/contract/routes/search";
import * as contract from "@portal/contract/routes/search";
import type { FastifyInstance } from "fastify";
import { foldText, searchTerms } from "../../domain/search-text.ts";
import { type Database, postgresCode, type Tx } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { scopeOf } from "../leads/policy.ts";
import {
  type Asked,
  findCalls,
  findLeads,
  findMessages,
  findNotes,
  mayBeSimilar,
  mostCounted,
} from "./repository.ts";

type Answer = RouteResponse<typeof searchEverything>;
type Find<Row> = (tx: Tx, asked: Asked) => Promise<Row[]>;

/** The error code of PostgreSQL for a statement that exceeded its timeout. */
const canceled = "57014";
/** The settings of an exact search, which uses an index. In ms. */
const exactly = "set local statement_timeout = 600";
/** The settings of a search for similar words, which compares rows: the higher the threshold, the faster. */
const similarly = [
  "set local statement_timeout = 1000; set local pg_trgm.word_similarity_threshold = 0.6",
  "set local statement_timeout = 1000; set local pg_trgm.word_similarity_threshold = 0.45",
];
/** With more results of a kind than this, similar words are not searched. */
const fewResults = 2;
const fewestLetters = 2;

/** The rows found within the timeout; null if it was exceeded. */
async function foundWithin<Row>(
  database: Database,
  { find, asked, settings }: { find: Find<Row>; asked: Asked; settings: string },
): Promise<Row[] | null> {
  try {
    return await database.transaction((tx) => find(tx, asked), settings);
  } catch (error) {
    if (postgresCode(error) === canceled) return null;
    throw error;
  }
}

/** The rows that match the terms exactly; or the most similar ones, if the terms are long enough. */
async function found<Row>(database: Database, find: Find<Row>, asked: Asked): Promise<Row[] | null> {
  if (!asked.isSimilar) return foundWithin(database, { find, asked, settings: exactly });
  if (!mayBeSimilar(asked.terms)) return [];
  for (const settings of similarly) {
    const rows = await foundWithin(database, { find, asked, settings });
    if (rows === null || rows.length > 0) return rows;
  }
  return [];
}

interface Group<Row> {
  items: Row[];
  count: number;
  isMore: boolean;
  isCut: boolean;
}

const groupOf = <Row>(rows: Row[], limit: number, isCut: boolean): Group<Row> => ({
  items: rows.slice(0, limit),
  count: Math.min(rows.length, mostCounted),
  isMore: rows.length > mostCounted,
  isCut,
});

/** Matching texts with an excerpt of each. */
async function writtenOf<Row extends { written: string }>(
  database: Database,
  { find, asked, limit }: { find: Find<Row>; asked: Asked; limit: number },
): Promise<Group<Omit<Row, "written"> & { excerpt: string }>> {
  const rows = await found(database, find, asked);
  const group = groupOf(rows ?? [], limit, rows === null);
  const items = group.items.map(({ written, ...row }) => ({
    ...row,
    excerpt: excerptOf(written, asked.terms),
  }));
  return { ...group, items };
}

/** Letters before the first match, and the length of an excerpt. */
const lettersBefore = 40;
const excerptLength = 160;

/** An excerpt around the first match; the beginning of the text if no term occurs exactly. */
function excerptOf(written: string, terms: string[]): string {
  const plain = written.replace(/\s+/g, " ").trim().normalize("NFC");
  // One letter for each letter, so that positions are the same in both texts.
  const folded = plain.replace(/[^\x20-\x7e]/g, (letter) => foldText(letter)[0] ?? letter).toLowerCase();
  const places = terms.map((term) => folded.indexOf(term)).filter((place) => place >= 0);
  const first = Math.min(...places, plain.length);
  const isNear = places.length === 0 || first <= lettersBefore || plain.length <= excerptLength;
  const from = isNear ? 0 : plain.lastIndexOf(" ", first - lettersBefore) + 1;
  const part = plain.slice(from, from + excerptLength).toWellFormed();
  return `${from > 0 ? "…" : ""}${part}${plain.length > from + excerptLength ? "…" : ""}`;
}

const nothing = { items: [], count: 0, isMore: false, isCut: false };

interface SearchInput {
  typed: string;
  /** Whether similar words match as well. */
  isSimilar: boolean;
  limit: number;
  actor: AuthSession;
}

/** Leads, notes, texts and calls that match the typed text and that the user may see. Uses at most two connections. */
async function search(
  { database }: { database: Database },
  { typed, isSimilar, limit, actor }: SearchInput,
): Promise<Answer> {
  const terms = searchTerms(typed);
  if (terms.join("").length < fewestLetters)
    return { hasFew: false, leads: nothing, notes: nothing, texts: nothing, calls: nothing };
  const asked: Asked = { terms, actorId: actor.userId, scope: scopeOf(actor), isSimilar };
  const written = async () => {
    // In long texts one or two letters occur everywhere, and no index helps.
    if (!terms.some((term) => term.length > 2)) return { notes: nothing, texts: nothing, calls: nothing };
    const notes = await writtenOf(database, { find: findNotes, asked, limit });
    const texts = await writtenOf(database, { find: findMessages, asked, limit });
    const calls = await writtenOf(database, { find: findCalls, asked, limit });
    const dated = <Item extends { at: Date }>(item: Item) => ({ ...item, at: item.at.toISOString() });
    return {
      notes,
      texts: { ...texts, items: texts.items.map(dated) },
      calls: { ...calls, items: calls.items.map(dated) },
    };
  };
  const [leads, others] = await Promise.all([found(database, findLeads, asked), written()]);
  const group = groupOf(leads ?? [], limit, leads === null);
  // A matching number or email is an exact result.
  const isMeant = group.count > 0 && terms.some((term) => /[\d@]/.test(term));
  const { notes, texts, calls } = others;
  const most = Math.max(group.count, notes.count, texts.count, calls.count);
  const hasFew = !isSimilar && most <= fewResults && !isMeant && mayBeSimilar(terms);
  return { hasFew, leads: group, ...others };
}

/** The route of the search over everything that a user may see. */
export function registerSearchRoutes(app: FastifyInstance, context: { database: Database }): void {
  bindRoute(app, contract.searchEverything, ({ query, actor }) =>
    search(context, { typed: query.q, isSimilar: query.similar === "true", limit: query.limit, actor }),
  );
}
