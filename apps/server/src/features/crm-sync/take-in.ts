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
  type LeadFields,
  lockLeads,
  updateLeads,
} from "./data-leads.ts";
import { keepProofs } from "./data-unchanged.ts";
import { type LeadPlan, type PlanRules, planLead } from "./lead-plan.ts";

export interface TakenIn {
  /** The consultants whose lists changed, null for leads of nobody. */
  owners: Set<number | null>;
  /** The contacts that made a lead, that changed one. */
  created: Set<string>;
  changed: Set<string>;
}

/** Contacts to be taken in, and what could not be read. */
export interface Intake {
  contacts: CrmContact[];
  rejects: CrmReject[];
  /** Tells which contacts without a lead become one; all do unless said otherwise. */
  mayJoin?: (contact: CrmContact) => boolean;
  /** Digests of the contacts, where they can be known again by them. */
  digests?: Map<string, string>;
}

type Update = Extract<LeadPlan, { kind: "update" }>;
type Insert = Extract<LeadPlan, { kind: "insert" }>;

const isUpdate = (planned: [CrmContact, LeadPlan]): planned is [CrmContact, Update] =>
  planned[1].kind === "update";
const isInsert = (planned: [CrmContact, LeadPlan]): planned is [CrmContact, Insert] =>
  planned[1].kind === "insert";

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

/** The contact's digest, where the contact would say nothing new to its lead as that is after the plan. */
function proofOf(
  contact: CrmContact,
  lead: LeadFields & Pick<KnownLead, "held">,
  rules: PlanRules,
  digests: Intake["digests"],
): string | null {
  const digest = digests?.get(contact.id);
  if (digest === undefined || lead.held.length > 0) return null;
  const after = { ...lead, id: 0, crm_deleted_at: null, state: "" };
  return planLead(contact, after, rules).kind === "same" ? digest : null;
}

async function insertAll(
  tx: Tx,
  plans: [CrmContact, Insert][],
  rules: PlanRules,
  digests: Intake["digests"],
): Promise<string[]> {
  if (plans.length === 0) return [];
  const rows = plans.map(([contact, { fields, createdAt }]) => ({
    ...fields,
    created_at: createdAt,
    proof: proofOf(contact, { ...fields, held: [] }, rules, digests),
  }));
  return insertLeads(tx, rows);
}

async function updateAll(
  tx: Tx,
  wanted: [CrmContact, Update][],
  rules: PlanRules,
  digests: Intake["digests"],
): Promise<{ done: Update[]; events: LeadEvent[] }> {
  if (wanted.length === 0) return { done: [], events: [] };
  // Planned again on what is there under the lock: a rep may have changed it in between.
  const locked = await lockLeads(
    tx,
    wanted.map(([, { id }]) => id),
  );
  const fresh = new Map(locked.map((lead) => [lead.id, lead]));
  const planned = wanted.map(([contact, { id }]): [CrmContact, LeadPlan] => [
    contact,
    planLead(contact, fresh.get(id), rules),
  ]);
  const updates = planned.filter(isUpdate);
  if (updates.length > 0)
    await updateLeads(
      tx,
      updates.map(([contact, { id, fields, before }]) => ({
        id,
        ...fields,
        proof: proofOf(contact, { ...fields, held: before.held }, rules, digests),
      })),
    );
  const done = updates.map(([, plan]) => plan);
  return { done, events: done.flatMap(updateEvents) };
}

/** What was no news, so that it is known at once the next time. */
async function keepSame(
  tx: Tx,
  plans: Map<CrmContact, LeadPlan>,
  matched: Map<string, KnownLead>,
  digests: Intake["digests"],
): Promise<void> {
  const proofs = [...plans].flatMap(([{ id }, { kind }]) => {
    const [proof, lead] = [digests?.get(id), matched.get(id)];
    if (kind !== "same" || !proof || !lead || lead.held.length > 0 || lead.crm_deleted_at) return [];
    return [{ id: lead.id, proof, state: lead.state }];
  });
  await keepProofs(tx, proofs);
}

/** A reject without an id is known by its content, so that every sync keeps it once. */
function rejectKey({ externalId, payload }: CrmReject): string {
  return externalId ?? `content:${createHash("sha256").update(JSON.stringify(payload)).digest("hex")}`;
}

/**
 * Takes contacts in as leads, and keeps what could not be read: a handful of statements for any number, nothing written where nothing
 * changed. To be called in a transaction of its own; concurrent calls wait for each other.
 */
export async function takeIn(tx: Tx, input: Intake, rules: PlanRules): Promise<TakenIn> {
  const { mayJoin = () => true, digests } = input;
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

  const inserts = [...plans].filter(isInsert);
  const created = await insertAll(tx, inserts, rules, digests);
  const { done, events } = await updateAll(tx, [...plans].filter(isUpdate), rules, digests);
  await keepSame(tx, plans, matched, digests);
  await recordLeadEvents(tx, events);
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
    created: new Set(created),
    changed: new Set(done.map(({ fields }) => String(fields.ghl_contact_id))),
    owners: new Set([
      ...inserts.map(([, { fields }]) => fields.assigned_to),
      ...done.flatMap(({ fields, before }) => [fields.assigned_to, before.assigned_to]),
    ]),
  };
}
