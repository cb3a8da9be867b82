import type { Role } from "@portal/contract/entities/user";
import { lockLeadIngestion } from "../../../platform/db/advisory-locks.ts";
import { postgresCode, type Tx } from "../../../platform/db/client.ts";
import { sql } from "../../../platform/db/query.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { recordLeadEvents, recordSharedEvent } from "../../activity/service.ts";
import { type CrmChange, enqueuePush } from "../../crm-outbox/service.ts";
import { type LeadChanges, type LeadSave, saveLeads } from "../lead-repository.ts";
import { type Candidate, type Identity, LeadMatcher } from "./match-leads.ts";
import type { ConflictPolicy } from "./policy.ts";
import {
  contentHash,
  fieldsOf,
  findRenames,
  findStoredLeads,
  insertLeads,
  type LeadColumns,
  type NewLead,
  type StoredLead,
  saveContentHashes,
} from "./repository.ts";

export interface IngestOptions {
  jobs: Pick<Jobs, "enqueue">;
  /** Who does it, where a person does: a consultant changes no one else's lead. */
  actor: { userId: number; role: Role } | null;
  /** The caller notifies the browsers itself, once for many calls. */
  quiet?: boolean;
  /** Called when the database has new leads to write for a while; not where there are none, or few. */
  onSent?: () => void;
  /** Called when so many new leads are in the search index, before the rest is written. */
  onMade?: (leads: number) => void;
}

/** What became of a record. `skipped`: the lead was there, and stays as it is. `forbidden`: it is another consultant's. */
export interface IngestedLead {
  outcome: "created" | "updated" | "unchanged" | "skipped" | "forbidden";
  leadId: number;
}

export interface Ingested {
  /** Of each record, in their order. */
  leads: IngestedLead[];
  /** The consultants whose lists changed, null for leads of nobody. */
  owners: Set<number | null>;
}

interface Slot<Incoming> {
  outcome: IngestedLead["outcome"];
  record: Incoming;
  lead: Candidate;
}

function mayChange(actor: IngestOptions["actor"], lead: Candidate): boolean {
  if (lead.id === null || !actor || actor.role === "admin") return true;
  return lead.assigned_to === actor.userId;
}

async function findKnown<Incoming>(
  tx: Tx,
  records: Incoming[],
  policy: ConflictPolicy<Incoming>,
): Promise<StoredLead[]> {
  const identities = records.map((record) => policy.identityOf(record));
  const values = <Name extends keyof Identity>(name: Name, of = identities) =>
    [...new Set(of.map((identity) => identity[name]))].filter((value) => value !== null);
  const keys = {
    tied: records.map((record) => policy.tiedTo(record)).filter((id) => id !== null),
    contactIds: values("ghl_contact_id"),
    emails: values("email"),
    phones: values(
      "phone_e164",
      identities.filter(({ email, ghl_contact_id }) => !email && !ghl_contact_id),
    ),
  };
  return findStoredLeads(tx, keys, { lock: !policy.skipsKnown, withHeld: policy.isCrm });
}

/** Decides on each record by what is stored and what the records before it make. */
function planSlots<Incoming>(
  records: Incoming[],
  { stored, renames, policy, actor }: Known<Incoming> & Pick<IngestOptions, "actor">,
): Slot<Incoming>[] {
  const matcher = new LeadMatcher();
  for (const lead of stored) matcher.add({ ...lead });
  return records.map((record): Slot<Incoming> => {
    const lead = matcher.find(policy.identityOf(record), policy.tiedTo(record));
    if (!lead) {
      const made: Candidate = {
        ...policy.create(record),
        id: null,
        held: [],
        crm_deleted_at: null,
        aliases: [],
      };
      matcher.add(made);
      return { outcome: "created", record, lead: made };
    }
    if (policy.skipsKnown) return { outcome: "skipped", record, lead };
    if (!mayChange(actor, lead)) return { outcome: "forbidden", record, lead };
    const renamedFrom = renames.get(lead.id ?? 0) ?? null;
    const changes = policy.merge(record, lead, { matcher, renamedFrom });
    if (!changes) return { outcome: "unchanged", record, lead };
    matcher.update(lead, changes);
    return { outcome: "updated", record, lead };
  });
}

interface Known<Incoming> {
  stored: StoredLead[];
  renames: Map<number, string>;
  policy: ConflictPolicy<Incoming>;
}

/** The record's digest, where it would change nothing any more of the lead as it is after it. */
function provenDigest<Incoming>(
  { record, lead }: Slot<Incoming>,
  policy: ConflictPolicy<Incoming>,
): string | null {
  const digest = policy.digestOf?.(record) ?? null;
  if (digest === null || lead.held.length > 0) return null;
  const after = { ...lead, crm_deleted_at: null };
  return policy.merge(record, after, { matcher: new LeadMatcher(), renamedFrom: null }) ? null : digest;
}

async function writeNew<Incoming>(
  tx: Tx,
  slots: Slot<Incoming>[],
  { policy, onSent }: Pick<Known<Incoming>, "policy"> & Pick<IngestOptions, "onSent">,
): Promise<number[]> {
  const rows = slots.map(
    (slot): NewLead => ({
      lead: slot.lead,
      createdAt: policy.createdAt?.(slot.record) ?? null,
      digest: provenDigest(slot, policy),
    }),
  );
  const ids = await insertLeads(tx, rows, onSent);
  for (const [index, { lead }] of slots.entries()) lead.id = ids[index] as number;
  return ids;
}

async function recordCreated<Incoming>(
  tx: Tx,
  leads: Candidate[],
  { policy: { created }, actor }: Pick<Known<Incoming>, "policy"> & Pick<IngestOptions, "actor">,
): Promise<void> {
  const userId = actor?.userId ?? null;
  const leadIds = leads.map(({ id }) => id as number);
  if (typeof created !== "function")
    return recordSharedEvent(tx, { leadIds, userId, kind: "created", data: created });
  await recordLeadEvents(
    tx,
    leads.map((lead, index) => ({
      leadId: leadIds[index] as number,
      userId,
      kind: "created",
      data: created(lead),
    })),
  );
}

/** What the CRM keeps of a lead and does not have yet. */
function crmChanges(before: StoredLead, { name, status, priority, notes }: LeadColumns): CrmChange[] {
  if (before.ghl_contact_id === null) return [];
  const changes: CrmChange[] = [
    { field: "name", value: name },
    { field: "status", value: status },
    { field: "priority", value: priority },
    { field: "notes", value: notes },
  ];
  return changes.filter(({ field, value }) => before[field as "name"] !== value);
}

interface Change<Incoming> {
  before: StoredLead;
  /** The last record that changed the lead, with the lead as it is then. */
  slot: Slot<Incoming>;
}

/** What else changes of a lead with its columns. */
function impliedChanges(before: StoredLead, after: LeadColumns, isCrm: boolean): LeadChanges {
  const now = new Date();
  return {
    ...(before.phone_e164 !== after.phone_e164 && { numberFault: null }),
    ...(before.assigned_to !== after.assigned_to && { assignedAt: after.assigned_to === null ? null : now }),
    // What the CRM itself says proves that its contact is there; of anybody else a status beyond 'new' tells that the lead was spoken to.
    ...(isCrm && { crmDeletedAt: null }),
    ...(!isCrm && before.status === "new" && after.status !== "new" && { lastContactedAt: now }),
  };
}

/** Saves known leads that changed; answers those that got a timeline entry. */
async function writeChanges<Incoming>(
  tx: Tx,
  changes: Change<Incoming>[],
  { policy, actor, jobs }: Pick<Known<Incoming>, "policy"> & IngestOptions,
): Promise<number[]> {
  const saves = changes.map(
    ({ before, slot }): LeadSave => ({
      leadId: before.id,
      userId: actor?.userId ?? null,
      changes: {
        ...fieldsOf(Object.fromEntries(policy.written.map((name) => [name, slot.lead[name]]))),
        ...impliedChanges(before, slot.lead, policy.isCrm),
      },
      events: policy.changeEvents(before, slot.lead).map(({ kind, data = {} }) => ({ kind, data })),
      crmChanges: policy.isCrm ? [] : crmChanges(before, slot.lead),
      digest: provenDigest(slot, policy),
    }),
  );
  const queued = await saveLeads(tx, saves, contentHash(sql`i.digest`, "n"));
  for (const leadId of queued.keys()) await enqueuePush(tx, jobs, leadId);
  return saves.flatMap(({ leadId, events = [] }) => (events.length > 0 ? [leadId] : []));
}

/** What changed nothing, so that it is known at once the next time. */
async function saveUnchanged<Incoming>(
  tx: Tx,
  slots: Slot<Incoming>[],
  policy: ConflictPolicy<Incoming>,
): Promise<void> {
  const rows = slots.flatMap(({ outcome, record, lead }) => {
    const digest = policy.digestOf?.(record) ?? null;
    if (outcome !== "unchanged" || digest === null || lead.id === null) return [];
    return lead.held.length > 0 || lead.crm_deleted_at ? [] : [{ id: lead.id, digest }];
  });
  await saveContentHashes(tx, rows);
}

/**
 * Ingests records of a source, whichever it is: each is found again by the CRM's id, e-mail or phone or made, the policy decides what
 * changes of a known lead, and all is written with its timeline, its changes for the CRM and one event, in the caller's transaction;
 * a handful of statements for any number. Concurrent calls wait for each other, so that nobody is made twice.
 * A record must have an e-mail, a phone or a contact id.
 */
export async function ingestLeads<Incoming>(
  tx: Tx,
  records: Incoming[],
  { policy, ...options }: IngestOptions & { policy: ConflictPolicy<Incoming> },
): Promise<Ingested> {
  if (records.length === 0) return { leads: [], owners: new Set() };
  await lockLeadIngestion(tx);
  const stored = await findKnown(tx, records, policy);
  const renames = policy.heedsRenames ? await findRenames(tx, stored) : new Map<number, string>();
  const slots = planSlots(records, { stored, renames, policy, actor: options.actor });

  const made = slots.filter(({ outcome }) => outcome === "created");
  const ids = await writeNew(tx, made, { policy, ...options });
  options.onMade?.(ids.length);
  const changed = new Map(
    slots.filter(({ outcome }) => outcome === "updated").map((slot) => [slot.lead.id, slot]),
  );
  const changes = stored.flatMap((before) => {
    const slot = changed.get(before.id);
    return slot ? [{ before, slot }] : [];
  });
  const changedIds = await writeChanges(tx, changes, { policy, ...options });
  await saveUnchanged(tx, slots, policy);
  await recordCreated(
    tx,
    made.map(({ lead }) => lead),
    { policy, actor: options.actor },
  );

  const owners = new Set([
    ...made.map(({ lead }) => lead.assigned_to),
    ...changes.flatMap(({ before, slot }) => [before.assigned_to, slot.lead.assigned_to]),
  ]);
  const visible = [...ids, ...changedIds];
  if (visible.length > 0 && !options.quiet)
    await publishEvent(tx, {
      topic: "lead",
      id: visible.length === 1 ? (visible[0] as number) : 0,
      audience: audienceOf(options.actor?.userId, ...owners),
    });
  return {
    leads: slots.map(({ outcome, lead }) => ({ outcome, leadId: lead.id as number })),
    owners,
  };
}

/** Whether PostgreSQL refused values: data exceptions, broken constraints, limits (its manual, appendix A: classes 22, 23, 54). */
export function isRefusedValue(error: unknown): boolean {
  return /^(22|23|54)/.test(postgresCode(error) ?? "");
}
