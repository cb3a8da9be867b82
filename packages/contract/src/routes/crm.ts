import { z } from "zod";
import {
  crmChangeSchema,
  crmOutboxSchema,
  crmRejectSchema,
  crmStatusSchema,
  deletionDecisions,
  heldDeletionsSchema,
  syncResultSchema,
  syncRunSchema,
} from "../entities/crm.ts";
import { idSchema } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

/** Syncs the CRM's contacts that are assigned to a known consultant. Waits up to 20 s; a second request joins the running job. */
export const syncLeads = defineRoute({
  method: "POST",
  path: "/api/ghl/sync-leads",
  summary: "Sync the consultants' contacts from GoHighLevel",
  response: syncResultSchema,
});

/** Syncs all of the CRM's contacts; administrators only. */
export const syncAll = defineRoute({
  method: "POST",
  path: "/api/ghl/sync",
  summary: "Sync all contacts from GoHighLevel",
  response: syncResultSchema,
});

/** One sync run, with its counts while it runs and after it ends. */
export const getSyncRun = defineRoute({
  method: "GET",
  path: "/api/ghl/sync-runs/:id",
  summary: "One sync run",
  params: z.object({ id: idSchema }),
  response: syncResultSchema.extend({ failed: z.boolean() }),
});

/** Whether the CRM responds, and the number of its users. */
export const getCrmStatus = defineRoute({
  method: "GET",
  path: "/api/ghl/status",
  summary: "Status of the GoHighLevel connection",
  response: crmStatusSchema,
});

/** Finds the AI agent's call recordings and links them to their leads. */
export const extractAllRecordings = defineRoute({
  method: "POST",
  path: "/api/extract-all-recordings",
  summary: "Find recordings of the AI agent's calls",
  response: z.object({ message: z.string(), extractedCount: z.number() }),
});

/**
 * Syncs what changed in the CRM since the last run; also runs automatically every 5 minutes. Waits and joins like `syncLeads`. Errors:
 * `provider_off`, `provider_unavailable`.
 */
export const syncChanges = defineRoute({
  method: "POST",
  path: "/api/ghl/sync-changes",
  summary: "Sync changes in GoHighLevel since the last sync",
  response: syncResultSchema,
});

/** The last runs of every kind, newest first. Updated live by the topic `crm-sync`. */
export const listSyncRuns = defineRoute({
  method: "GET",
  path: "/api/ghl/sync-runs",
  summary: "Recent sync runs",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  response: z.array(syncRunSchema),
});

/** State of the push to the CRM. Updated live by the topic `crm-outbox`. */
export const getCrmOutbox = defineRoute({
  method: "GET",
  path: "/api/ghl/outbox",
  summary: "Changes pending for GoHighLevel",
  response: crmOutboxSchema,
});

/** A lead's last 50 changes queued for the CRM, newest first. Errors: `not_found`. */
export const listLeadChanges = defineRoute({
  method: "GET",
  path: "/api/ghl/outbox/leads/:id",
  summary: "Changes of a lead pending for GoHighLevel",
  params: z.object({ id: idSchema }),
  response: z.array(crmChangeSchema),
});

/**
 * Retries failed changes: one by its id, those of a lead, or all. Consultants only retry changes of their own leads; administrators of all.
 * `retried` is the number of changes. Errors: `not_found`, `not_your_lead`.
 */
export const retryCrmChanges = defineRoute({
  method: "POST",
  path: "/api/ghl/outbox/retry",
  summary: "Retry failed changes to GoHighLevel",
  body: z.strictObject({ id: idSchema.optional(), leadId: idSchema.optional() }),
  response: z.object({ message: z.string(), retried: z.number() }),
});

/** Data the CRM sent that could not be processed, newest first, at most 200. */
export const listCrmRejects = defineRoute({
  method: "GET",
  path: "/api/ghl/rejects",
  summary: "GoHighLevel contacts and events that were rejected",
  response: z.array(crmRejectSchema),
});

/**
 * Deletions that a full run found but did not apply because there are too many; null if none are held. Updated live by the topic
 * `crm-sync`.
 */
export const getHeldDeletions = defineRoute({
  method: "GET",
  path: "/api/ghl/deletions",
  summary: "Deletions in GoHighLevel pending a decision",
  response: z.object({ held: heldDeletionsSchema.nullable() }),
});

/**
 * Decides about held deletions. `mark`: the missing contacts are looked up again, and the leads of those that do not exist are marked as
 * deleted. `leave`: their leads stay unchanged, and the contacts are not looked up until a run finds them again. Errors: `conflict` if they
 * are no longer held.
 */
export const decideDeletions = defineRoute({
  method: "POST",
  path: "/api/ghl/deletions/:id",
  summary: "Accept or discard deletions in GoHighLevel",
  params: z.object({ id: idSchema }),
  body: z.strictObject({ decision: z.enum(deletionDecisions) }),
  response: z.object({ message: z.string() }),
});
