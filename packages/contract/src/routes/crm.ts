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

/** Takes in the CRM's contacts that are assigned to a known consultant. Waits up to 20 s; a second click joins the running job. */
export const syncLeads = defineRoute({
  method: "POST",
  path: "/api/ghl/sync-leads",
  summary: "Sync the consultants' contacts from GoHighLevel",
  response: syncResultSchema,
});

/** Takes in all of the CRM's contacts; administrators only. */
export const syncAll = defineRoute({
  method: "POST",
  path: "/api/ghl/sync",
  summary: "Sync all contacts from GoHighLevel",
  response: syncResultSchema,
});

/** One sync run: its figures while it runs and when it has ended. */
export const getSyncRun = defineRoute({
  method: "GET",
  path: "/api/ghl/sync-runs/:id",
  summary: "One sync run",
  params: z.object({ id: idSchema }),
  response: syncResultSchema.extend({ failed: z.boolean() }),
});

/** Whether the CRM answers, and how many users it has. */
export const getCrmStatus = defineRoute({
  method: "GET",
  path: "/api/ghl/status",
  summary: "State of the GoHighLevel connection",
  response: crmStatusSchema,
});

/** Finds the AI agent's call recordings and ties them to their leads. */
export const extractAllRecordings = defineRoute({
  method: "POST",
  path: "/api/extract-all-recordings",
  summary: "Find the AI agent's call recordings",
  response: z.object({ message: z.string(), extractedCount: z.number() }),
});

/**
 * Takes in what changed in the CRM since the last run; every 5 minutes by itself. Waits and joins as `syncLeads`.
 * Errors: `provider_off`, `provider_unavailable`.
 */
export const syncChanges = defineRoute({
  method: "POST",
  path: "/api/ghl/sync-changes",
  summary: "Sync what changed in GoHighLevel since the last sync",
  response: syncResultSchema,
});

/** The last runs, newest first, of every kind. Live by the topic `crm-sync`. */
export const listSyncRuns = defineRoute({
  method: "GET",
  path: "/api/ghl/sync-runs",
  summary: "The last sync runs",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  response: z.array(syncRunSchema),
});

/** How the push to the CRM stands. Live by the topic `crm-outbox`. */
export const getCrmOutbox = defineRoute({
  method: "GET",
  path: "/api/ghl/outbox",
  summary: "Changes on their way to GoHighLevel",
  response: crmOutboxSchema,
});

/** A lead's last 50 changes on their way to the CRM, newest first. Errors: `not_found`. */
export const listLeadChanges = defineRoute({
  method: "GET",
  path: "/api/ghl/outbox/leads/:id",
  summary: "One lead's changes on their way to GoHighLevel",
  params: z.object({ id: idSchema }),
  response: z.array(crmChangeSchema),
});

/**
 * Sends failed changes again: one by its id, those of a lead, or all. A consultant's own leads only (all: of one's own leads);
 * administrators everyone's. `retried` counts the changes. Errors: `not_found`, `not_your_lead`.
 */
export const retryCrmChanges = defineRoute({
  method: "POST",
  path: "/api/ghl/outbox/retry",
  summary: "Send failed changes to GoHighLevel again",
  body: z.strictObject({ id: idSchema.optional(), leadId: idSchema.optional() }),
  response: z.object({ message: z.string(), retried: z.number() }),
});

/** What the CRM sent and could not be taken in, newest first, at most 200. */
export const listCrmRejects = defineRoute({
  method: "GET",
  path: "/api/ghl/rejects",
  summary: "What GoHighLevel sent and could not be taken in",
  response: z.array(crmRejectSchema),
});

/** Deletions that a full run found and did not mark, because they are too many; null where none wait. Live by the topic `crm-sync`. */
export const getHeldDeletions = defineRoute({
  method: "GET",
  path: "/api/ghl/deletions",
  summary: "Deletions in GoHighLevel that wait for a decision",
  response: z.object({ held: heldDeletionsSchema.nullable() }),
});

/**
 * Decides about held deletions. `mark`: the run asks for the missing contacts again and marks the leads of those that do not exist;
 * `leave`: their leads stay as they are and are not asked for until a run meets them again. Errors: `conflict` where they no longer wait.
 */
export const decideDeletions = defineRoute({
  method: "POST",
  path: "/api/ghl/deletions/:id",
  summary: "Decide about deletions in GoHighLevel",
  params: z.object({ id: idSchema }),
  body: z.strictObject({ decision: z.enum(deletionDecisions) }),
  response: z.object({ message: z.string() }),
});
