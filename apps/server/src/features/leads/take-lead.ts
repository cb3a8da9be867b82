import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../db/client.ts";
import { lockLeadIntake } from "../../db/sql/intake-lock.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { IncomingLead } from "../../values/incoming-lead.ts";
import { type CrmChange, queueCrmChanges } from "../crm-sync/service.ts";
import { type LeadEvent, recordLeadEvents, recordSharedEvent } from "../timeline/service.ts";
import {
  findStoredLeads,
  insertTakenLeads,
  type StoredLead,
  type TakenColumns,
  takenColumns,
  updateTakenLeads,
} from "./data-take.ts";
import { type Candidate, LeadMatcher } from "./take-match.ts";
import { mergedColumns, type PreparedLead, prepareLead, toldFields } from "./take-plan.ts";

export interface TakeRules {
  jobs: Pick<Jobs, "enqueue">;
  /** Where it comes from, for the timeline: `import`, `webhook`; `data` goes with it (importId, source). */
  from: { kind: "import" | "webhook"; data?: Record<string, unknown> };
  /** Who gets new leads; null for nobody. */
  assignTo: number | null;
  /**
   * What happens to a lead that is there already: nothing, or it takes what the record says; `merge` leaves status and priority, which
   * are the consultant's word against a sender that repeats all its fields with every change.
   */
  known: "skip" | "update" | "merge";
  /** Who does it, where a person does: a consultant changes no one else's lead. */
  actor: Pick<Session, "userId" | "role"> | null;
  /** The caller tells the browsers itself, once for many calls. */
  quiet?: boolean;
  /** Called when the database has new leads to write for a while; not where there are none, or few. */
  onSent?: () => void;
  /** Called when so many new leads are in the index of words, before the rest is written. */
  onMade?: (leads: number) => void;
}

/** What became of a record. `forbidden`: the lead is another consultant's. */
export interface TakenLead {
  outcome: "created" | "updated" | "unchanged" | "skipped" | "forbidden";
  leadId: number;
}

interface Slot {
  outcome: TakenLead["outcome"];
  lead: Candidate;
}

/** What is looked for follows from these; an older version of the portal may have written it in other words. */
const saidColumns = takenColumns.filter((name) => name !== "search");

function mayChange(actor: TakeRules["actor"], lead: Candidate): boolean {
  if (lead.id === undefined || !actor || actor.role === "admin") return true;
  return lead.assigned_to === actor.userId;
}

/** Plans each record after what is stored and what the records before it make. */
function planSlots(leads: PreparedLead[], stored: StoredLead[], rules: TakeRules) {
  const matcher = new LeadMatcher();
  for (const lead of stored) matcher.add({ ...lead });
  const inserts: Candidate[] = [];
  const slots = leads.map(({ record, columns: incoming }): Slot => {
    const lead = matcher.find(incoming, record.leadId);
    if (!lead) {
      const made: Candidate = { ...incoming };
      matcher.add(made);
      inserts.push(made);
      return { outcome: "created", lead: made };
    }
    if (rules.known === "skip") return { outcome: "skipped", lead };
    if (!mayChange(rules.actor, lead)) return { outcome: "forbidden", lead };
    const said = rules.known === "merge" ? { ...record, status: null, priority: null } : record;
    // Nobody else has the address, or it would have found that lead: the sender's record has a new one.
    const isMoved = record.leadId === lead.id && incoming.email !== null && incoming.email !== lead.email;
    const merged = mergedColumns(isMoved ? { ...lead, email: incoming.email } : lead, said, incoming);
    if (saidColumns.every((name) => isDeepStrictEqual(merged[name], lead[name])))
      return { outcome: "unchanged", lead };
    Object.assign(lead, merged);
    if (isMoved) matcher.addEmail(incoming.email as string, lead);
    return { outcome: "updated", lead };
  });
  return { slots, inserts };
}

function changeEvents(before: StoredLead, after: Candidate, userId: number | null): LeadEvent[] {
  return (Object.keys(toldFields) as (keyof typeof toldFields)[])
    .filter((column) => before[column] !== after[column])
    .map((column) => ({
      leadId: before.id,
      userId,
      kind: "changed",
      data: { field: toldFields[column], before: before[column], after: after[column] },
    }));
}

/** What the CRM keeps of a lead and does not have yet. */
function crmChanges(before: StoredLead, { name, status, priority, notes }: Candidate): CrmChange[] {
  if (before.ghl_contact_id === null) return [];
  const changes: CrmChange[] = [
    { field: "name", value: name },
    { field: "status", value: status },
    { field: "priority", value: priority },
    { field: "notes", value: notes },
  ];
  return changes.filter(({ field, value }) => before[field as "name"] !== value);
}

async function writeChanges(tx: Tx, rules: TakeRules, stored: StoredLead[], slots: Slot[]) {
  const changed = new Set(slots.filter(({ outcome }) => outcome === "updated").map(({ lead }) => lead.id));
  const before = stored.filter(({ id }) => changed.has(id));
  const after = new Map(slots.map(({ lead }) => [lead.id, lead]));
  const userId = rules.actor?.userId ?? null;
  const pairs = before.map((lead) => ({ before: lead, after: after.get(lead.id) as Candidate }));
  await updateTakenLeads(
    tx,
    pairs.map(({ after, before }) => ({ ...after, id: before.id })),
  );
  for (const { before, after } of pairs)
    await queueCrmChanges(tx, rules.jobs, { leadId: before.id, userId }, crmChanges(before, after));
  return {
    events: pairs.flatMap(({ before, after }) => changeEvents(before, after, userId)),
    owners: before.map(({ assigned_to }) => assigned_to),
  };
}

/**
 * Leads come in, by import or webhook: each is found again by the CRM's id, e-mail or phone (design §6) or made, with its timeline, its
 * changes for the CRM and one notice, in the caller's transaction; a handful of statements for any number. Concurrent calls wait for
 * each other, so that nobody is made twice. Answers what became of each, in order.
 * A record must have an e-mail, a phone or a contact id (values/read-lead-record.ts sees to it).
 */
export async function takeLeads(
  tx: Tx,
  records: IncomingLead[],
  { defaultCountry, ...rules }: TakeRules & { defaultCountry: "US" | "ES" },
): Promise<TakenLead[]> {
  return takePreparedLeads(
    tx,
    records.map((record) => prepareLead(record, defaultCountry)),
    rules,
  );
}

async function findKnown(tx: Tx, leads: PreparedLead[], hold: boolean): Promise<StoredLead[]> {
  const values = <Name extends keyof TakenColumns>(name: Name, of = leads) =>
    [...new Set(of.map(({ columns }) => columns[name]))].filter((value) => value !== null);
  return findStoredLeads(tx, {
    contactIds: values("ghl_contact_id"),
    emails: values("email"),
    phones: values(
      "phone_e164",
      leads.filter(({ columns }) => !columns.email && !columns.ghl_contact_id),
    ),
    tied: leads.map(({ record }) => record.leadId).filter((id) => id != null),
    hold,
  });
}

/** `takeLeads` for records that were prepared before the transaction began. */
export async function takePreparedLeads(
  tx: Tx,
  leads: PreparedLead[],
  rules: TakeRules,
): Promise<TakenLead[]> {
  if (leads.length === 0) return [];
  await lockLeadIntake(tx);
  const stored = await findKnown(tx, leads, rules.known !== "skip");
  const { slots, inserts } = planSlots(leads, stored, rules);
  const ids = await insertTakenLeads(tx, { rows: inserts, assignTo: rules.assignTo, onSent: rules.onSent });
  rules.onMade?.(ids.length);
  for (const [index, lead] of inserts.entries()) lead.id = ids[index] as number;
  const changes = await writeChanges(tx, rules, stored, slots);
  await recordSharedEvent(tx, {
    leadIds: ids,
    userId: rules.actor?.userId ?? null,
    kind: "created",
    data: { from: rules.from.kind, ...rules.from.data },
  });
  await recordLeadEvents(tx, changes.events);
  const touched = [...new Set([...ids, ...changes.events.map(({ leadId }) => leadId)])];
  if (touched.length > 0 && !rules.quiet)
    await publishEvent(tx, {
      topic: "lead",
      id: touched.length === 1 ? (touched[0] as number) : 0,
      audience: audienceOf(rules.assignTo, rules.actor?.userId, ...changes.owners),
    });
  return slots.map(({ outcome, lead }) => ({ outcome, leadId: lead.id as number }));
}
