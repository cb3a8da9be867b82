import { z } from "zod";
import { syncFaultSchema } from "../sync-faults.ts";

/** Result of a sync. While `running` is true, the counts are partial. */
export const syncResultSchema = z.object({
  message: z.string(),
  synced: z.number(),
  errors: z.array(z.string()),
  running: z.boolean(),
  runId: z.number(),
  /** Why the run failed or was held; null otherwise. */
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
 * What a run syncs. 'assigned': contacts of known consultants. 'all': every contact. 'changes': what changed since the last run.
 * 'recordings': the AI agent's calls.
 */
export const syncKinds = ["assigned", "all", "changes", "recordings"] as const;

/** One sync run as listed on the Integrations page. Timestamps are ISO strings. */
export const syncRunSchema = z.object({
  id: z.number(),
  kind: z.enum(syncKinds),
  /** 'held': so many contacts seem deleted that an administrator must decide. */
  state: z.enum(["running", "done", "failed", "held"]),
  /** The user who started it; null for a scheduled run. */
  requestedBy: z.object({ id: z.number(), name: z.string() }).nullable(),
  startedAt: z.string(),
  /** Null while it runs. */
  endedAt: z.string().nullable(),
  /** Contacts synced (created, updated or unchanged), each counted once. For 'recordings': calls newly linked to a lead. */
  synced: z.number(),
  created: z.number(),
  changed: z.number(),
  /** Leads marked as deleted because their contact no longer exists in the CRM. */
  deleted: z.number(),
  /** Messages of contacts that could not be synced, at most 100. */
  errors: z.array(z.string()),
  /** The result, the progress, or why it failed. */
  message: z.string(),
  /** The failure as a code; null if it did not fail. */
  fault: syncFaultSchema.nullable(),
});
export type SyncRun = z.infer<typeof syncRunSchema>;

/** Deletions found by a run that need an administrator's decision. */
export const heldDeletionsSchema = z.object({
  runId: z.number(),
  startedAt: z.string(),
  /** Leads with a contact in the CRM. */
  leads: z.number(),
  /** Leads whose contact the run did not find. */
  missing: z.number(),
  /** Of these, the contacts looked up individually before the run stopped, and the number of them that do not exist. */
  asked: z.number(),
  deleted: z.number(),
  /** Names of some leads whose contact does not exist. */
  examples: z.array(z.string()),
});
export type HeldDeletions = z.infer<typeof heldDeletionsSchema>;

/** What to do with held deletions: mark the leads as deleted or leave them unchanged. */
export const deletionDecisions = ["mark", "leave"] as const;
export type DeletionDecision = (typeof deletionDecisions)[number];

/** What is pushed to the CRM: lead fields, do-not-disturb by channel, and the conversion to a client. */
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

/** One change queued for the CRM. 'superseded': not sent, because a later value of the same field replaced it. */
export const crmChangeSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  field: z.enum(crmChangeFields),
  state: z.enum(["pending", "sent", "failed", "superseded"]),
  /** Why it failed or is still pending; null if nothing went wrong. */
  reason: z.string().nullable(),
  attempts: z.number(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
});
export type CrmChange = z.infer<typeof crmChangeSchema>;

/** State of the push to the CRM, for the leads the user may change; for administrators, for all leads. */
export const crmOutboxSchema = z.object({
  pending: z.number(),
  failed: z.number(),
  /** Confirmed by the CRM in the last 24 hours. */
  sentToday: z.number(),
  /** When the oldest pending change was made; null if none is pending. */
  oldestPendingAt: z.string().nullable(),
  /** The newest failed changes, at most 50. */
  failures: z.array(crmChangeSchema),
});
export type CrmOutbox = z.infer<typeof crmOutboxSchema>;

/** Something the CRM sent that could not be processed. It is stored with the reason until it can be. */
export const crmRejectSchema = z.object({
  id: z.number(),
  /** The CRM's id of the contact; null if there is none. */
  externalId: z.string().nullable(),
  reason: z.string(),
  at: z.string(),
});
