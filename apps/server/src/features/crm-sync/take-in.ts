import { createHash } from "node:crypto";
import type { Tx } from "../../db/client.ts";
import { lockLeadIntake } from "../../db/sql/intake-lock.ts";
import type { CrmContact, CrmReject } from "../../ports/crm.ts";
import { type LeadEvent, recordLeadEvents } from "../timeline/service.ts";
import {
  findKnownLeads,
  insertLeads,
  type KnownLead,
  keepRejects,
  lockLeads,
  updateLeads,
} from "./data-leads.ts";
import { type LeadPlan, type PlanRules, planLead } from "./lead-plan.ts";

export interface TakenIn {
  /** The consultants whose lists changed, null for leads of nobody. */
  owners: Set<number | null>;
  /** The contacts that made a lead, that changed one. */
  created: Set<string>;
  changed: Set<string>;
}

type Update = Extract<LeadPlan, { kind: "update" }>;
type Insert = Extract<LeadPlan, { kind: "insert" }>;

/**
 * The lead of each contact: by the contact's id, else by e-mail a lead that the CRM does not know yet, the oldest first and each for
 * one contact only. A contact always has an id, so that phones, which households share, are not looked at (design §6).
 */
function match(contacts: CrmContact[], known: KnownLead[]): Map<string, KnownLead> {
  const byContact = new Map(known.map((lead) => [lead.ghl_contact_id, lead]));
  const free = known.filter((lead) => lead.ghl_contact_id === null);
  const matched = new Map<string, KnownLead>();
  for (const { id, email } of contacts) {
    let lead = byContact.get(id);
    if (!lead && email) {
      const index = free.findIndex((candidate) => candidate.email?.toLowerCase() === email);
      if (index >= 0) [lead] = free.splice(index, 1);
    }
    if (lead) matched.set(id, lead);
  }
  return matched;
}

function updateEvents({ id, changes, before, fields }: Update): LeadEvent[] {
  const { assigned_to: assigned, ...others } = changes;
  const from = { leadId: id, userId: null };
  const events: LeadEvent[] = [];
  if (before.ghl_contact_id === null || Object.keys(others).length > 0)
    events.push({ ...from, kind: "crm-synced", data: { changes: others } });
  if (assigned) events.push({ ...from, kind: "assigned", data: { field: "assignedTo", ...assigned } });
  for (const channel of ["call", "text"] as const) {
    const name = `${channel}_opt_out` as const;
    if (changes[name] && fields[name])
      events.push({ ...from, kind: "opted-out", data: { channel, reason: fields[name] } });
  }
  return events;
}

async function insertAll(tx: Tx, plans: Insert[]): Promise<LeadEvent[]> {
  if (plans.length === 0) return [];
  const rows = plans.map(({ fields, createdAt }) => ({ ...fields, created_at: createdAt }));
  const ids = await insertLeads(tx, rows);
  return [...ids].map(([ghlContactId, leadId]) => ({
    leadId,
    userId: null,
    kind: "created",
    data: { from: "gohighlevel", ghlContactId },
  }));
}

async function updateAll(
  tx: Tx,
  plans: Map<CrmContact, LeadPlan>,
  rules: PlanRules,
): Promise<{ done: Update[]; events: LeadEvent[] }> {
  const wanted = [...plans].filter(([, plan]) => plan.kind === "update") as [CrmContact, Update][];
  if (wanted.length === 0) return { done: [], events: [] };
  // Planned again on what is there under the lock: a rep may have changed it in between.
  const locked = await lockLeads(
    tx,
    wanted.map(([, { id }]) => id),
  );
  const fresh = new Map(locked.map((lead) => [lead.id, lead]));
  const done = wanted
    .map(([contact, { id }]) => planLead(contact, fresh.get(id), rules))
    .filter((plan) => plan.kind === "update");
  if (done.length > 0)
    await updateLeads(
      tx,
      done.map(({ id, fields }) => ({ id, ...fields })),
    );
  return { done, events: done.flatMap(updateEvents) };
}

/** A reject without an id is known by its content, so that every sync keeps it once. */
function rejectKey({ externalId, payload }: CrmReject): string {
  return externalId ?? `content:${createHash("sha256").update(JSON.stringify(payload)).digest("hex")}`;
}

/**
 * Takes contacts in as leads, and keeps what could not be read: a handful of statements for any number, nothing written where nothing
 * changed. `mayJoin` tells which contacts without a lead become one; all do unless said otherwise. To be called in a transaction of
 * its own; concurrent calls wait for each other.
 */
export async function takeIn(
  tx: Tx,
  input: {
    contacts: CrmContact[];
    rejects: CrmReject[];
    mayJoin?: (contact: CrmContact) => boolean;
  },
  rules: PlanRules,
): Promise<TakenIn> {
  const { mayJoin = () => true } = input;
  await lockLeadIntake(tx);
  // One contact twice in a page: the later stands.
  const contacts = [...new Map(input.contacts.map((contact) => [contact.id, contact])).values()];
  const joins = new Set(contacts.filter(mayJoin));
  const contactIds = contacts.map(({ id }) => id);
  const emails = [...joins].map(({ email }) => email).filter((email) => email !== null);
  const known = await findKnownLeads(tx, { contactIds, emails });
  const ids = new Set(known.map(({ ghl_contact_id }) => ghl_contact_id));
  const taken = contacts.filter((contact) => ids.has(contact.id) || joins.has(contact));
  const matched = match(taken, known);
  const plans = new Map(taken.map((contact) => [contact, planLead(contact, matched.get(contact.id), rules)]));

  const inserts = [...plans.values()].filter((plan) => plan.kind === "insert");
  const created = await insertAll(tx, inserts);
  const { done, events } = await updateAll(tx, plans, rules);
  await recordLeadEvents(tx, [...created, ...events]);
  await keepRejects(
    tx,
    input.rejects.map((reject) => ({
      key: rejectKey(reject),
      reason: reject.reason,
      payload: reject.payload,
    })),
    contactIds,
  );
  return {
    created: new Set(created.map(({ data }) => String(data?.ghlContactId))),
    changed: new Set(done.map(({ fields }) => String(fields.ghl_contact_id))),
    owners: new Set([
      ...inserts.map(({ fields }) => fields.assigned_to),
      ...done.flatMap(({ fields, before }) => [fields.assigned_to, before.assigned_to]),
    ]),
  };
}
