import type { Database } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import type { Keyset } from "../../http/list.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import { findTouched } from "./data.ts";
import { findLeads } from "./data-find-leads.ts";
import type { FoundLeads, LeadPage } from "./data-lead-pages.ts";
import { gateWriter, isTouched } from "./gate-text.ts";
import {
  type LeadRow,
  type LeadText,
  leadRow,
  type NumberFacts,
  nothingKnown,
  readLeadRow,
  writeOwnLead,
  writeSystemLead,
} from "./lead-text.ts";
import type { LeadTextCache } from "./lead-text-cache.ts";

export interface ListContext {
  database: Pick<Database, "db" | "lookUp" | "connectionsLost">;
  leadTexts: LeadTextCache;
}

/** So many leads are read by the connection that all share. */
const quickRead = 100;
/** Longer parts are those of exports and of whole lists of many: they would drive out what is looked at again and again. */
const keptPart = 1_000;

type VersionRow = LeadRow & { version: string };
const rowsSql = `select l.xmin::text as version, ${leadRow.select} from leads l ${leadRow.join} where l.id = any($1::int[])`;

/** What the rows of found leads tell: most are known in the version that was found, the others are read. */
async function textsOf(
  { database, leadTexts }: ListContext,
  page: LeadPage,
  { ids, versions, life, repNames }: FoundLeads,
): Promise<Map<string, LeadText>> {
  const texts = new Map<string, LeadText>();
  const missing: string[] = [];
  for (const [index, id] of ids.entries()) {
    const known = leadTexts.recall(life, id, versions[index] ?? "");
    if (known) texts.set(id, known);
    else missing.push(id);
  }
  if (missing.length === 0) return texts;
  const statement = prepared(rowsSql, [missing]);
  const rows =
    missing.length <= quickRead
      ? await database.lookUp<VersionRow>(statement)
      : (await database.db.$client.query<VersionRow>(statement)).rows;
  const isKept = !page.after || page.limit < keptPart;
  for (const row of rows) {
    const id = String(row.id);
    const text = readLeadRow(row);
    texts.set(id, text);
    if (isKept) leadTexts.keep(life, id, row.version, text);
    // Given to somebody else a moment ago: their name was not asked for.
    if (row.rep !== null) repNames.set(row.rep, row.repName ?? "");
  }
  return texts;
}

/** A page of leads as JSON texts. */
export interface LeadTextPage {
  items: string[];
  next: Keyset | null;
  /** All leads of the query, where finding the page told. */
  found: number | null;
}

/** The leads that were found and are still there, each with the name of its consultant. */
async function readFound(context: ListContext, page: LeadPage, found: FoundLeads) {
  const texts = await textsOf(context, page, found);
  return found.ids.flatMap((id) => {
    const text = texts.get(id);
    if (!text) return [];
    return { id, text, repName: text.rep === null ? null : (found.repNames.get(text.rep) ?? null) };
  });
}

/** A page of all leads (`SystemLead`). */
export async function listAllLeads(context: ListContext, page: LeadPage): Promise<LeadTextPage> {
  const found = await findLeads(context.database, page, null);
  const leads = await readFound(context, page, found);
  const items = leads.map(({ text, repName }) => writeSystemLead(text, repName));
  return { items, next: found.next, found: found.found };
}

/** A page of leads as `actorId` works on them (`Lead`). */
export async function listOwnLeads(
  context: ListContext & { gate: GateRules },
  { actorId, ...page }: LeadPage & { actorId: number },
): Promise<LeadTextPage> {
  const found = await findLeads(context.database, page, actorId);
  const leads = await readFound(context, page, found);
  const touchedIds = leads.filter(({ text }) => isTouched(text)).map(({ id }) => Number(id));
  const touched = await findTouched(context.database.lookUp, touchedIds, actorId);
  const write = gateWriter(context.gate);
  const { stopped, dead, onCall } = found.numbers;
  const isAnyKnown = stopped.size + dead.size + onCall.size > 0;
  const numberOf = (id: string): NumberFacts =>
    isAnyKnown ? { stopped: stopped.has(id), dead: dead.has(id), onCall: onCall.has(id) } : nothingKnown;
  const items = leads.map(({ id, text, repName }) =>
    writeOwnLead(text, repName, write(text, numberOf(id), touched.get(Number(id)))),
  );
  return { items, next: found.next, found: found.found };
}
