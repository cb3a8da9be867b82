import type { loggedOutcomes } from "@portal/contract/entities/call";
import type { FoundLead } from "@portal/contract/routes/search";
import type { SQL } from "drizzle-orm";
import { accentPattern, likePattern, wordPatterns } from "../../domain/search-text.ts";
import type { Tx } from "../../platform/db/client.ts";
import { allOf, query, sql } from "../../platform/db/query.ts";
import type { OwnerScope } from "../leads/lead-repository.ts";

/** A search and its user. */
export interface Asked {
  /** Folded words, each of which must occur. */
  terms: string[];
  actorId: number;
  /** Whose texts and calls are searched. */
  scope: OwnerScope;
  /** Whether similar words match as well. */
  isSimilar: boolean;
}

/** The maximum number of rows for each kind; counts end there. */
export const mostCounted = 50;
/** One more row shows that there are others. */
const most = sql.constant(mostCounted + 1);
/** The maximum number of similar rows that are compared, because they have to be sorted by similarity. */
const mostCompared = sql.constant(2_000);

/** Shorter words are similar to too many others. */
const similarFrom = 4;
export const mayBeSimilar = (terms: string[]) => terms.some((term) => term.length >= similarFrom);

/** A text to search: folded, or as written. */
interface Text {
  sql: SQL;
  isFolded: boolean;
}
const leadText: Text = { sql: sql`l.search`, isFolded: true };
const noteText: Text = { sql: sql`l.notes`, isFolded: false };
const messageText: Text = { sql: sql`r.body`, isFolded: false };
const callText: Text = { sql: sql`r.search`, isFolded: true };

/** The condition that a text contains a term: by its trigram index; for a folded text also by the first one or two letters of a word. */
function holdsTerm({ sql: text, isFolded }: Text, term: string, isSimilar: boolean): SQL {
  if (isSimilar && term.length >= similarFrom) return sql`${text} %> ${term}::text`;
  if (!isFolded) return sql`${text} ~* ${accentPattern(term)}`;
  if (term.length > 2) return sql`${text} like ${likePattern(term)}`;
  const [first, later] = wordPatterns(term);
  return sql`(${text} like ${first ?? ""} or ${text} like ${later ?? ""})`;
}

const holdsAll = (text: Text, { terms, isSimilar }: Asked) =>
  allOf(...terms.map((term) => holdsTerm(text, term, isSimilar)));

/** The similarity of a text to the terms, from 0 to their number. */
const likeness = ({ sql: text }: Text, terms: string[]) =>
  sql.join(
    terms.map((term) => sql`word_similarity(${term}::text, ${text})`),
    sql` + `,
  );

/** The rank of a lead: its text or one of its words begins with the first term, or the similarity. */
function quality({ terms, isSimilar }: Asked): SQL {
  const [first = ""] = terms;
  if (isSimilar) return likeness(leadText, terms);
  const [atStart, atWord] = wordPatterns(first);
  return sql`case when l.search like ${atStart ?? ""} then 2 when l.search like ${atWord ?? ""} then 1 else 0 end`;
}

/** The same as in the indexes: `desc` alone means nulls first, and then no index could be used. */
const newestLeads = sql`order by l.created_at desc nulls last, l.id desc nulls last`;

/** The user's own leads that match, then all others. Similar ones are read from the index once, and separated afterwards. */
function leadsHolding(text: Text, columns: SQL, asked: Asked, also?: SQL): SQL {
  const { actorId, isSimilar } = asked;
  const where = allOf(also, holdsAll(text, asked));
  if (isSimilar)
    return sql`select ${columns}, l.assigned_to is not distinct from ${actorId} as "isOwn" from leads l where ${where} limit ${mostCompared}`;
  const bound = sql`${newestLeads} limit ${most}`;
  return sql`(select ${columns}, true as "isOwn" from leads l where l.assigned_to = ${actorId} and ${where} ${bound})
    union all (select ${columns}, false as "isOwn" from leads l where l.assigned_to is distinct from ${actorId} and ${where} ${bound})`;
}

/** Leads that match, best first: the user's own before all others. At most 51. */
export async function findLeads(tx: Tx, asked: Asked): Promise<Omit<FoundLead, "isSimilar">[]> {
  const found = leadsHolding(leadText, sql`l.*`, asked);
  return query(
    tx,
    sql`select l.id, l.name, l.company, l.phone, l.email, l.status, l."isOwn", u.name as "salesRepName"
      from (${found}) l left join users u on u.id = l.assigned_to
      order by l."isOwn" desc, ${quality(asked)} desc, l.created_at desc, l.id desc limit ${most}`,
  );
}

interface OfLead {
  leadId: number;
  leadName: string;
  isOwn: boolean;
  /** The text that matched, as written. */
  written: string;
}

/** Leads whose notes match, in the same order. */
export async function findNotes(tx: Tx, asked: Asked): Promise<OfLead[]> {
  const columns = sql`l.id, l.name, l.notes, l.created_at, l.assigned_to`;
  const found = leadsHolding(noteText, columns, asked, sql`l.notes is not null`);
  return query(
    tx,
    sql`select l.id as "leadId", l.name as "leadName", l."isOwn", l.notes as written from (${found}) l
      order by l."isOwn" desc, ${asked.isSimilar ? sql`${likeness(noteText, asked.terms)} desc,` : sql.empty()} l.created_at desc, l.id desc limit ${most}`,
  );
}

/** Rows `r` of a table of texts or calls: all, or those that the user sent or made and those with the user's own leads. */
function visibleRows(
  table: SQL,
  { scope, where, newest }: { scope: OwnerScope; where: SQL; newest: SQL },
): SQL {
  if (scope === "everyone") return sql`(select r.* from ${table} r where ${where} ${newest} limit ${most})`;
  const { salesRepId } = scope;
  return sql`(select r.* from ${table} r where r.user_id = ${salesRepId} and ${where} ${newest} limit ${most})
    union (select r.* from leads o join ${table} r on r.lead_id = o.id where o.assigned_to = ${salesRepId} and ${where} ${newest} limit ${most})`;
}

interface TextRow extends OfLead {
  id: number;
  direction: "inbound" | "outbound";
  at: Date;
}

/** Texts with leads that match, newest first. */
export async function findMessages(tx: Tx, asked: Asked): Promise<TextRow[]> {
  const { scope, actorId } = asked;
  const where = sql`r.lead_id is not null and ${holdsAll(messageText, asked)}`;
  // All texts are read backwards from an index with nulls last; the column has none.
  const newest = sql`order by r.created_at desc, r.id desc`;
  return query(
    tx,
    sql`select r.id, l.id as "leadId", l.name as "leadName", l.assigned_to is not distinct from ${actorId} as "isOwn", r.direction, r.created_at as at, r.body as written
      from (${visibleRows(sql`messages`, { scope, where, newest })}) r join leads l on l.id = r.lead_id ${newest} limit ${most}`,
  );
}

interface CallRow extends TextRow {
  outcome: (typeof loggedOutcomes)[number] | null;
}

/** Calls with leads whose notes match, newest first. */
export async function findCalls(tx: Tx, asked: Asked): Promise<CallRow[]> {
  const { scope, actorId } = asked;
  const where = sql`r.lead_id is not null and r.notes is not null and ${holdsAll(callText, asked)}`;
  const newest = sql`order by r.call_date desc nulls last, r.id desc nulls last`;
  return query(
    tx,
    sql`select r.id, l.id as "leadId", l.name as "leadName", l.assigned_to is not distinct from ${actorId} as "isOwn", r.direction, r.outcome, r.call_date as at, r.notes as written
      from (${visibleRows(sql`call_logs`, { scope, where, newest })}) r join leads l on l.id = r.lead_id ${newest} limit ${most}`,
  );
}
