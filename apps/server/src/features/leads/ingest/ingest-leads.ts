import type { Role } from "@portal/contract/entities/user";
import { lockLeadIngestion } from "../../../platform/db/advisory-locks.ts";
import { postgresCode, type Tx } from "../../../platform/db/client.ts";
import { sql } from "../../../platform/db/query.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { recordLeadEvents, recordSharedEvent } from "../../activity/service.ts";
import { type CrmChange, enqueuePush } from "../../crm-outbox/service.ts";
import { type LeadChanges, type LeadSave, saveLeads } from "../lead-repository.ts";
import { type Candidate, type ConflictPolicy, type Identity, LeadMatcher } from "./policy.ts";
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
  /** The person who makes the change, if any. A consultant cannot change another's lead. */
  actor: { userId: number; role: Role } | null;
  /** No events are published: the caller publishes one for many calls. */
  quiet?: boolean;
  /** Called while the database writes many new leads, so that the caller can use the wait; not called for few. */
  onSent?: () => void;
  /** Called with the number of new leads in the search index, before the rest is written. */
  onMade?: (leads: number) => void;
}

/** Result of a record. `skipped`: the lead existed and stays as it is. `forbidden`: it belongs to another consultant. */
export interface IngestedLead {
  outcome: "created" | "updated" | "unchanged" | "skipped" | "forbidden";
  leadId: number;
}

export interface Ingested {
  /** Results in the order of the records. */
  leads: IngestedLead[];
  /** Consultants whose lists changed; null stands for unassigned leads. */
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

/** Decides on each record by the stored leads and by the records before it in the batch. */
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

/** The record's digest if the record would change nothing of the lead as it stands after it, else null. */
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

/** Changes that the CRM has to receive. */
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
  /** The last record that changed the lead, with the lead after it. */
  slot: Slot<Incoming>;
}

/** Further columns that change with these. */
function impliedChanges(before: StoredLead, after: LeadColumns, isCrm: boolean): LeadChanges {
  const now = new Date();
  return {
    ...(before.phone_e164 !== after.phone_e164 && { numberFault: null }),
    ...(before.assigned_to !== after.assigned_to && { assignedAt: after.assigned_to === null ? null : now }),
    // A record of the CRM proves that its contact exists. From other sources a status beyond 'new' means that the lead was contacted.
    ...(isCrm && { crmDeletedAt: null }),
    ...(!isCrm && before.status === "new" && after.status !== "new" && { lastContactedAt: now }),
  };
}

/** Saves known leads that changed. Returns the ids of those with a new timeline entry. */
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

/** Stores the digests of records that changed nothing, so that the next sync can skip them. */
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
 * Ingests records of any source in the caller's transaction. A record is matched to a lead by the CRM's id, email or phone, or creates one;
 * the policy decides what changes on a known lead. Leads, timeline, changes for the CRM and one event are written by a fixed number of
 * statements for any batch size. Concurrent calls run one after the other, so that no lead is created twice. A record must have an email, a
 * phone or a contact id.
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

/** Whether PostgreSQL rejected a value: data exceptions, constraint violations, program limits (SQLSTATE classes 22, 23, 54). */
export function isRefusedValue(error: unknown): boolean {
  return /^(22|23|54)/.test(postgresCode(error) ?? "");
}
