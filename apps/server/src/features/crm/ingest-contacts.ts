import { createHash } from "node:crypto";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { execute, sql } from "../../platform/db/query.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { CrmContact, CrmFound, CrmReject } from "../../ports/crm.ts";
import { recordLeadEvents } from "../activity/service.ts";
import { ingestLeads, isRefusedValue } from "../leads/ingest/ingest-leads.ts";
import {
  findContactIds,
  findUnknownContent,
  markLeadsDeleted,
  saveAliasOptOuts,
  saveRejects,
} from "./contact-repository.ts";
import { type ContactRules, crmContactPolicy, digestSalt } from "./merge-contact.ts";

/** Contacts to be ingested, and what could not be read. */
export interface CrmBatch {
  contacts: CrmContact[];
  rejects: CrmReject[];
  /** Tells which contacts without a lead become one; all do unless said otherwise. */
  mayJoin?: (contact: CrmContact) => boolean;
  /** Digests of the contacts, where they can be known again by them. */
  digests?: ReadonlyMap<string, string>;
}

export interface IngestedContacts {
  /** The consultants whose lists changed, null for leads of nobody. */
  owners: Set<number | null>;
  /** The contacts that made a lead, that changed one. */
  created: Set<string>;
  changed: Set<string>;
  /** What the database refused, and contacts of which no lead is made because they name nobody. */
  refused: CrmReject[];
}

interface IngestContext {
  jobs: Pick<Jobs, "enqueue">;
}

/** A contact that has an id. */
type Named = CrmFound & { id: string };

const isReject = (read: CrmContact | CrmReject): read is CrmReject => "reason" in read;

/** A page with all that can be done before anybody has to wait for it. */
interface PreparedPage {
  found: CrmFound[];
  /** The contacts that have an id, each once: of one that is there twice the later. */
  named: Named[];
  digests: Map<string, string>;
  /** What was read already. */
  read: Map<CrmFound, CrmContact | CrmReject>;
}

/** Digests of a page's contacts; where most are expected to have changed they are read as well. */
export function preparePage(
  found: CrmFound[],
  rules: ContactRules,
  { expectChanges = false } = {},
): PreparedPage {
  const named = [
    ...new Map(found.filter((one): one is Named => one.id !== null).map((one) => [one.id, one])).values(),
  ];
  const digests = new Map(named.map((one) => [one.id, one.digest(digestSalt(one.assignedTo, rules))]));
  return {
    found,
    named,
    digests,
    read: new Map(expectChanges ? named.map((one) => [one, one.read()]) : []),
  };
}

/** Reads of a page what may change a lead; what is known as it is needs neither reading nor merging. */
export async function readChanges(tx: Tx, { found, named, digests, read }: PreparedPage): Promise<CrmBatch> {
  await lockLeadIngestion(tx);
  const unknown = await findUnknownContent(tx, digests);
  const all = [...found.filter(({ id }) => id === null), ...named.filter(({ id }) => unknown.has(id))].map(
    (one) => read.get(one) ?? one.read(),
  );
  return {
    contacts: all.filter((one): one is CrmContact => !isReject(one)),
    rejects: all.filter(isReject),
    digests,
  };
}

/** Runs `work`; answers null where the database refused its values, and nothing of it stays. */
async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<T | null> {
  await execute(tx, sql`savepoint ingesting`);
  try {
    const result = await work();
    await execute(tx, sql`release savepoint ingesting`);
    return result;
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    await execute(tx, sql`rollback to savepoint ingesting`);
    return null;
  }
}

function refusalOf(contact: CrmContact, reason = "could not be stored"): CrmReject {
  const name = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ");
  return {
    externalId: contact.id,
    label: name || (contact.name ?? contact.email ?? contact.id),
    reason,
    payload: contact,
  };
}

/** A reject without an id is known by its content, so that every sync keeps it once. */
function rejectKey({ externalId, payload }: CrmReject): string {
  return externalId ?? `content:${createHash("sha256").update(JSON.stringify(payload)).digest("hex")}`;
}

/** It may still say that a lead wants no calls any more. */
const namesNobody = ({ firstName, lastName, name, email, phone }: CrmContact) =>
  !(firstName || lastName || name || email || phone);

/**
 * The contacts that have a lead or may become one, each once: of one that is there twice the later; and those of which none is made as they
 * name nobody.
 */
async function admitted(
  tx: Tx,
  { contacts, mayJoin = () => true }: CrmBatch,
): Promise<{ contacts: CrmContact[]; refused: CrmReject[] }> {
  const unique = [...new Map(contacts.map((contact) => [contact.id, contact])).values()];
  const others = unique.filter((contact) => !mayJoin(contact) || namesNobody(contact)).map(({ id }) => id);
  if (others.length === 0) return { contacts: unique, refused: [] };
  await lockLeadIngestion(tx);
  const known = await findContactIds(tx, others);
  const isLeftOut = new Set(others.filter((id) => !known.has(id)));
  const refused = unique
    .filter((contact) => isLeftOut.has(contact.id) && namesNobody(contact))
    .map((contact) => refusalOf(contact, "has no name, email address or phone number"));
  return { contacts: unique.filter(({ id }) => !isLeftOut.has(id)), refused };
}

/** Ingests contacts and keeps what could not be read: a handful of statements for any number, nothing written where nothing changed. */
async function ingestBatch(
  { jobs }: IngestContext,
  tx: Tx,
  batch: CrmBatch,
  rules: ContactRules,
): Promise<IngestedContacts> {
  const { contacts, refused } = await admitted(tx, batch);
  const policy = crmContactPolicy(rules, batch.digests);
  const { leads, owners } = await ingestLeads(tx, contacts, { policy, jobs, actor: null, quiet: true });
  await saveAliasOptOuts(tx, contacts);
  const rejects = [...batch.rejects, ...refused].map((reject) => ({
    key: rejectKey(reject),
    reason: reject.reason,
    payload: reject.payload,
  }));
  const isRefused = new Set(refused.map(({ externalId }) => externalId));
  await saveRejects(
    tx,
    rejects,
    batch.contacts.map(({ id }) => id).filter((id) => !isRefused.has(id)),
  );
  const idsOf = (wanted: string) =>
    new Set(contacts.filter((_, index) => leads[index]?.outcome === wanted).map(({ id }) => id));
  return { owners, created: idsOf("created"), changed: idsOf("updated"), refused };
}

/**
 * Ingests contacts of the CRM, and keeps what could not be read; where the database refuses something, one contact after the other, so
 * that what it refuses harms no other: it is kept with its reason like what could not be read. To be called in a transaction of its own.
 */
export async function ingestContacts(
  context: IngestContext,
  tx: Tx,
  batch: CrmBatch,
  rules: ContactRules,
): Promise<IngestedContacts> {
  const all: IngestedContacts = { owners: new Set(), created: new Set(), changed: new Set(), refused: [] };
  if (batch.contacts.length + batch.rejects.length === 0) return all;
  const whole = await attempt(tx, () => ingestBatch(context, tx, batch, rules));
  if (whole) return whole;
  for (const contact of batch.contacts) {
    const single = { ...batch, contacts: [contact], rejects: [] };
    const one = await attempt(tx, () => ingestBatch(context, tx, single, rules));
    all.refused.push(...(one ? one.refused : [refusalOf(contact)]));
    for (const owner of one?.owners ?? []) all.owners.add(owner);
    for (const id of one?.created ?? []) all.created.add(id);
    for (const id of one?.changed ?? []) all.changed.add(id);
  }
  const rejects = [...batch.rejects, ...all.refused];
  await ingestBatch(context, tx, { ...batch, contacts: [], rejects }, rules);
  return all;
}

/** What a change says that can no longer be sent. */
const deletedReason = "The contact was deleted in GoHighLevel.";

/**
 * Marks the leads of deleted contacts: they stay, with all their history, and are sent nowhere any more. Answers how many there were
 * and their consultants.
 */
export async function markContactsDeleted(
  tx: Tx,
  contactIds: string[],
): Promise<{ deleted: number; owners: Set<number | null> }> {
  const marked =
    contactIds.length > 0 ? await markLeadsDeleted(tx, { contactIds, reason: deletedReason }) : [];
  await recordLeadEvents(
    tx,
    marked.map(({ id }) => ({ leadId: id, userId: null, kind: "crm-deleted" })),
  );
  return { deleted: marked.length, owners: new Set(marked.map(({ assignedTo }) => assignedTo)) };
}
