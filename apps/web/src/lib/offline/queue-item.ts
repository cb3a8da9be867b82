import type { Lead } from "@portal/contract/entities/lead";
import type { ErrorBody } from "@portal/contract/errors";
import { createCallLog } from "@portal/contract/routes/calls";
import { addNote, updateLead } from "@portal/contract/routes/leads";
import { type CallInput, routePath } from "../api.ts";

type UpdateBody = NonNullable<CallInput<typeof updateLead>["body"]>;
type LogBody = NonNullable<CallInput<typeof createCallLog>["body"]>;

/** Changed fields of a lead, and the values that the user saw. */
export type LeadChange = Omit<UpdateBody, "clientRef" | "seen">;
export type SeenLead = NonNullable<UpdateBody["seen"]>;

/** The writes that can be queued; no other request is ever sent later. */
export type OfflineWrite =
  | { kind: "change"; change: LeadChange; seen: SeenLead }
  | { kind: "note"; text: string }
  | { kind: "outcome"; report: Omit<LogBody, "clientRef" | "seen" | "leadId">; seen: LogBody["seen"] };

/** The part of a server's refusal that is shown. */
export interface Refusal {
  status: number;
  text: string;
  body: Partial<ErrorBody> | undefined;
}

/** A queued write. Items are sent in the order of their ids, and only with the account that made them. */
export interface QueueItem {
  id: number;
  userId: number;
  leadId: number;
  leadName: string;
  /** By the browser's clock, in ms. */
  saidAt: number;
  /** Makes the server execute a repeated request once. */
  clientRef: string;
  write: OfflineWrite;
  /** Set when the server has refused the item: its author then decides. */
  refusal?: Refusal;
}

const followUpFields = ["nextFollowUpDate", "nextFollowUpTime", "nextFollowUpZone"] as const;
type Field = "status" | "priority" | "notes" | (typeof followUpFields)[number];

/** The values that the user saw of the changed fields; a follow-up includes its time. */
export function seenOf(lead: Pick<Lead, Field>, change: LeadChange): SeenLead {
  const fields = (["status", "priority", "notes", ...followUpFields] as const).filter(
    (field) => field in change || (isFollowUp(field) && followUpFields.some((part) => part in change)),
  );
  return Object.fromEntries(fields.map((field) => [field, lead[field]]));
}

const isFollowUp = (field: string) => (followUpFields as readonly string[]).includes(field);

/**
 * Applies the same user's earlier queued changes of the lead, which are sent first, to the values they saw: a page may still show the old
 * ones.
 */
export function afterEarlier(write: OfflineWrite, earlier: readonly QueueItem[]): OfflineWrite {
  if (write.kind === "change") return { ...write, seen: earlier.reduce(seenAfter, write.seen) };
  if (write.kind === "note") return write;
  const sid = write.report.twilioCallSid;
  const answers = earlier.flatMap((item) =>
    item.write.kind === "outcome" && sid && item.write.report.twilioCallSid === sid
      ? [item.write.report.outcome]
      : [],
  );
  return { ...write, seen: answers.at(-1) ?? write.seen };
}

function seenAfter(seen: SeenLead, { write }: QueueItem): SeenLead {
  const after: Record<string, unknown> = { ...seen };
  if (write.kind === "change") {
    const { nextFollowUpDate } = write.change;
    // The server removes the time with the date.
    const change = {
      ...write.change,
      ...(nextFollowUpDate === null && { nextFollowUpTime: null, nextFollowUpZone: null }),
    };
    for (const [field, value] of Object.entries(change)) if (field in after) after[field] = value;
  } else if (write.kind === "note") {
    if ("notes" in after) after.notes = seen.notes ? `${write.text}\n\n${seen.notes}` : write.text;
  } else if (after.status === "new" && ["answered", "voicemail"].includes(write.report.outcome)) {
    // A new lead becomes contacted when a call reached them.
    after.status = "contacted";
  }
  return after;
}

/** A change without these fields; null where none is left. */
function withoutFields(change: LeadChange, fields: readonly string[]): LeadChange | null {
  const dropped = fields.some(isFollowUp) ? [...fields, ...followUpFields] : fields;
  const left = Object.fromEntries(Object.entries(change).filter(([field]) => !dropped.includes(field)));
  return Object.keys(left).length > 0 ? left : null;
}

/** Tolerance between the clocks of browser and server for the time of a contact, in ms. */
const soonMs = 5 * 60_000;

/** A lead that leaves 'new' was contacted when the change was made, which may be long before it is sent. */
function contactOf({ write, saidAt }: QueueItem) {
  const leavesNew =
    write.kind === "change" && write.seen.status === "new" && write.change.status !== undefined;
  return leavesNew && Date.now() - saidAt > soonMs && { lastContactedAt: new Date(saidAt).toISOString() };
}

/** The request for an item. Seen values are sent from the second try on; the first try behaves as without a queue. */
export function requestOf(item: QueueItem, withSeen: boolean) {
  const { leadId, clientRef, write } = item;
  switch (write.kind) {
    case "change":
      return {
        method: updateLead.method,
        path: routePath(updateLead, { id: leadId }),
        body: {
          ...write.change,
          ...contactOf(item),
          clientRef,
          ...(withSeen && { seen: write.seen }),
        },
      };
    case "note":
      return {
        method: addNote.method,
        path: routePath(addNote, { id: leadId }),
        body: { text: write.text, clientRef },
      };
    case "outcome":
      return {
        method: createCallLog.method,
        path: createCallLog.path,
        body: { ...write.report, leadId, clientRef, ...(withSeen && { seen: write.seen }) },
      };
  }
}

/** The fields that others changed meanwhile, with their current values; null for other refusals. */
export function conflictOf({ refusal }: QueueItem): Record<string, string | null> | null {
  return refusal?.body?.code === "changed_meanwhile" ? (refusal.body.now ?? null) : null;
}

/** The item after its author chose to overwrite: the current values count as seen. */
export function withOwn(item: QueueItem): QueueItem {
  const { write } = item;
  const now = conflictOf(item) ?? {};
  if (write.kind === "change")
    return { ...item, write: { ...write, seen: { ...write.seen, ...now } as SeenLead } };
  if (write.kind === "note") return item;
  return { ...item, write: { ...write, seen: now.outcome as LogBody["seen"] } };
}

/** The rest of the item after its author chose the current values: other fields, or the notes of a call; null where nothing is left. */
export function withTheirs(item: QueueItem): QueueItem | null {
  const { write } = item;
  const now = conflictOf(item) ?? {};
  if (write.kind === "change") {
    const change = withoutFields(write.change, Object.keys(now));
    return change && { ...item, write: { ...write, change } };
  }
  if (write.kind === "note" || !write.report.notes || !now.outcome) return null;
  const outcome = now.outcome as LogBody["outcome"];
  return { ...item, write: { ...write, report: { ...write.report, outcome }, seen: outcome } };
}
