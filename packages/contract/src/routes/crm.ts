import { z } from "zod";
import { crmStatusSchema, syncResultSchema } from "../entities/crm.ts";
import { idSchema } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

/** Takes in the CRM's contacts that are assigned to a known consultant. Waits up to 20 s; a second click joins the running job. */
export const syncLeads = defineRoute({
  method: "POST",
  path: "/api/ghl/sync-leads",
  access: "user",
  summary: "Sync the consultants' contacts from GoHighLevel",
  response: syncResultSchema,
});

/** Takes in all of the CRM's contacts; administrators only. */
export const syncAll = defineRoute({
  method: "POST",
  path: "/api/ghl/sync",
  access: "admin",
  summary: "Sync all contacts from GoHighLevel",
  response: syncResultSchema,
});

/** One sync run: its figures while it runs and when it has ended. */
export const getSyncRun = defineRoute({
  method: "GET",
  path: "/api/ghl/sync-runs/:id",
  access: "user",
  summary: "One sync run",
  params: z.object({ id: idSchema }),
  response: syncResultSchema.extend({ failed: z.boolean() }),
});

/** Whether the CRM answers, and how many users it has. */
export const getCrmStatus = defineRoute({
  method: "GET",
  path: "/api/ghl/status",
  access: "user",
  summary: "State of the GoHighLevel connection",
  response: crmStatusSchema,
});

/** Finds the AI agent's call recordings and ties them to their leads. */
export const extractAllRecordings = defineRoute({
  method: "POST",
  path: "/api/extract-all-recordings",
  access: "user",
  summary: "Find the AI agent's call recordings",
  response: z.object({ message: z.string(), extractedCount: z.number() }),
});
