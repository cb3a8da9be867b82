import { z } from "zod";
import { syncFaultSchema } from "../sync-faults.ts";

/** Result of a sync. `running`: the figures are the count so far. */
export const syncResultSchema = z.object({
  message: z.string(),
  synced: z.number(),
  errors: z.array(z.string()),
  running: z.boolean(),
  runId: z.number(),
  /** Why the run failed or was held. */
  fault: syncFaultSchema.nullable(),
});
export type SyncResult = z.infer<typeof syncResultSchema>;

export const crmStatusSchema = z.object({
  connected: z.boolean(),
  message: z.string(),
  usersCount: z.number(),
});
export type CrmStatus = z.infer<typeof crmStatusSchema>;

/**
 * What a run takes in: 'assigned' the contacts of known consultants, 'all' every contact, 'changes' what changed since the last
 * run, 'recordings' the AI agent's calls.
 */
export const syncKinds = ["assigned", "all", "changes", "recordings"] as const;

/** One run as the Integrations page lists it. Instants are ISO strings. */
export const syncRunSchema = z.object({
  id: z.number(),
  kind: z.enum(syncKinds),
  /** 'held': so many contacts seem deleted that an administrator decides. */
  state: z.enum(["running", "done", "failed", "held"]),
  /** Who asked for it; null for the schedule. */
  requestedBy: z.object({ id: z.number(), name: z.string() }).nullable(),
  startedAt: z.string(),
  /** Null while it runs. */
  endedAt: z.string().nullable(),
  /** Contacts (recordings: calls newly tied) taken in: created, changed or found equal; each once. */
  synced: z.number(),
  created: z.number(),
  changed: z.number(),
  /** Leads marked because their contact is gone from the CRM. */
  deleted: z.number(),
  /** What could not be taken in, in words; at most 100. */
  errors: z.array(z.string()),
  /** How it ended, or how far it is; why it failed. */
  message: z.string(),
  /** The last as a code; null where it did not fail. */
  fault: syncFaultSchema.nullable(),
});
export type SyncRun = z.infer<typeof syncRunSchema>;

/** Deletions that wait for an administrator's decision, of the run that found them. */
export const heldDeletionsSchema = z.object({
  runId: z.number(),
  startedAt: z.string(),
  /** Leads with a contact in the CRM. */
  leads: z.number(),
  /** Those whose contact the run has not met. */
  missing: z.number(),
  /** Of these, contacts that were asked for by themselves before the run stopped, and how many of them do not exist. */
  asked: z.number(),
  deleted: z.number(),
  /** Names of some of the leads whose contact does not exist. */
  examples: z.array(z.string()),
});
export type HeldDeletions = z.infer<typeof heldDeletionsSchema>;

/** What is done with held deletions: the leads are marked as deleted, or left as they are. */
export const deletionDecisions = ["mark", "leave"] as const;
export type DeletionDecision = (typeof deletionDecisions)[number];

/** What is pushed: fields of a lead, do-not-disturb by channel, and the conversion to a client. */
export const crmChangeFields = [
  "name",
  "status",
  "priority",
  "notes",
  "nextFollowUpDate",
  "nextFollowUpTime",
  "assignedTo",
  "textsBlocked",
  "callsBlocked",
  "conversion",
] as const;
export type CrmChangeField = (typeof crmChangeFields)[number];

/** One change on its way to the CRM. 'superseded' never left: a later value of the field was sent in its place. */
export const crmChangeSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  field: z.enum(crmChangeFields),
  state: z.enum(["pending", "sent", "failed", "superseded"]),
  /** Why it failed, or why it still waits; null where nothing went wrong. */
  reason: z.string().nullable(),
  attempts: z.number(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
});
export type CrmChange = z.infer<typeof crmChangeSchema>;

/** How the push stands: the changes of the leads that one may change, an administrator of all. */
export const crmOutboxSchema = z.object({
  pending: z.number(),
  failed: z.number(),
  /** Confirmed by the CRM in the last 24 hours. */
  sentToday: z.number(),
  /** When the oldest change was made that the CRM does not have yet (pending); null where none waits. */
  oldestPendingAt: z.string().nullable(),
  /** The newest failed changes, at most 50. */
  failures: z.array(crmChangeSchema),
});
export type CrmOutbox = z.infer<typeof crmOutboxSchema>;

/** Something that the CRM sent and that could not be taken in: kept with its reason until it can be read. */
export const crmRejectSchema = z.object({
  id: z.number(),
  /** The CRM's id of the contact, or null where it has none. */
  externalId: z.string().nullable(),
  reason: z.string(),
  at: z.string(),
});
