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

/** Contacts to ingest, and records that could not be read. */
export interface CrmBatch {
  contacts: CrmContact[];
  rejects: CrmReject[];
  /** Whether a contact without a lead may become one; by default all may. */
  mayJoin?: (contact: CrmContact) => boolean;
  /** Digests by contact id, by which an unchanged contact is recognised. */
  digests?: ReadonlyMap<string, string>;
}

export interface IngestedContacts {
  /** Consultants whose lists changed; null stands for unassigned leads. */
  owners: Set<number | null>;
  /** Ids of contacts that created a lead, and of those that changed one. */
  created: Set<string>;
  changed: Set<string>;
  /** Contacts that the database refused, and contacts without any name or address, for which no lead is created. */
  refused: CrmReject[];
}

interface IngestContext {
  jobs: Pick<Jobs, "enqueue">;
}

type Named = CrmFound & { id: string };

const isReject = (read: CrmContact | CrmReject): read is CrmReject => "reason" in read;

/** A page with everything computed that needs no lock. */
interface PreparedPage {
  found: CrmFound[];
  /** Contacts with an id, each once; of a repeated one the later. */
  named: Named[];
  digests: Map<string, string>;
  /** Contacts that are parsed already. */
  read: Map<CrmFound, CrmContact | CrmReject>;
}

/** Computes the digests of a page's contacts. If most are expected to have changed, they are parsed too. */
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

/** Parses the contacts of a page that may change a lead, under the ingestion lock; unchanged ones are skipped. */
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

/** Runs `work` in a savepoint. Returns null and rolls back if the database refused its values. */
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

/** A record without an id gets a key from its content, so that every sync stores it once. */
function rejectKey({ externalId, payload }: CrmReject): string {
  return externalId ?? `content:${createHash("sha256").update(JSON.stringify(payload)).digest("hex")}`;
}

/** Such a contact may still carry do-not-disturb for an existing lead. */
const namesNobody = ({ firstName, lastName, name, email, phone }: CrmContact) =>
  !(firstName || lastName || name || email || phone);

/** The contacts that have a lead or may become one, each once (of a repeated one the later), and those refused because they name nobody. */
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

/** Ingests contacts and stores rejects by a fixed number of statements; nothing is written if nothing changed. */
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
 * Ingests contacts of the CRM and stores rejects. If the database refuses the batch, the contacts are ingested one by one, and a refused
 * one is stored as a reject with its reason. Call it in a transaction of its own.
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

/** Error of a change that can no longer be sent. */
const deletedReason = "The contact was deleted in GoHighLevel.";

/**
 * Marks the leads of deleted contacts. The leads and their history stay, but are no longer sent to the CRM. Returns how many there were and
 * their consultants.
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
