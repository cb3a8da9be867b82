import { z } from "zod";
import { availabilitySchema } from "../entities/availability.ts";
import { daySchema, idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { organisationSettingsSchema } from "../entities/settings.ts";
import { contactChannels, contactRefusals } from "../errors.ts";
import { defineRoute } from "../route.ts";

/** Figures of the whole system. Today is the organisation's; rates in percent, null where there is nothing to divide by. */
export const systemStatsSchema = z.object({
  totalUsers: z.number(),
  /** Users with a browser that listens, or active within 5 minutes. */
  activeUsers: z.number(),
  leadsProcessedToday: z.number(),
  totalLeads: z.number(),
  totalCalls: z.number(),
  conversionRate: z.number().nullable(),
  /** Mean of those who have work due. */
  avgProductivity: z.number().nullable(),
});
export type SystemStats = z.infer<typeof systemStatsSchema>;

/** Figures of one user. */
export const userStatsSchema = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  isOnline: z.boolean(),
  lastActivity: z.string().nullable(),
  totalLeads: z.number(),
  contactedToday: z.number(),
  callsMade: z.number(),
  smsCount: z.number(),
  leadsConverted: z.number(),
  followUpsScheduled: z.number(),
  /** 100 × due work with an outcome today ÷ due work; null where nothing is due. */
  productivityScore: z.number().nullable(),
});
export type UserStats = z.infer<typeof userStatsSchema>;

/** What administrators set for everybody. */
export const getOrganisationSettings = defineRoute({
  method: "GET",
  path: "/api/organisation-settings",
  summary: "Settings of the organization",
  response: organisationSettingsSchema,
});

/** Keeps the settings that are sent; calls that are dialled from now on, and the lists of Today, follow them. */
export const updateOrganisationSettings = defineRoute({
  method: "PATCH",
  path: "/api/organisation-settings",
  summary: "Save the settings of the organization",
  body: z.strictObject(organisationSettingsSchema.partial().shape),
  response: organisationSettingsSchema,
});

/** Cards of the panel; asked every 30 s. */
export const getSystemStats = defineRoute({
  method: "GET",
  path: "/api/admin/system-stats",
  summary: "Figures of the whole system",
  response: systemStatsSchema,
});

/** One row for each open account, by name; asked every 15 s. */
export const getUserStats = defineRoute({
  method: "GET",
  path: "/api/admin/user-stats",
  summary: "Figures by user",
  response: z.array(userStatsSchema),
});

/**
 * What a consultant does right now: free, their phone or the lead's rings, answered while it is found out by whom, on the call, wrapping up,
 * or their calling session rests.
 */
export const repStates = ["free", "ringing", "checking", "on_call", "wrap_up", "paused"] as const;
export type RepState = (typeof repStates)[number];

/** State of each open account, and since when. */
export const getLiveStates = defineRoute({
  method: "GET",
  path: "/api/admin/live",
  summary: "What everybody does right now",
  response: z.array(
    z.object({
      userId: z.number(),
      state: z.enum(repStates),
      /** Null for `free` without any call before. */
      since: z.string().nullable(),
      leadId: z.number().nullable(),
      leadName: z.string().nullable(),
      /** Whether they can be reached, and when that ends by itself. */
      availability: availabilitySchema.pick({ state: true, until: true }),
    }),
  ),
});

const auditQuery = {
  user: idSchema.optional(),
  action: text(60).optional(),
  subject: text(60).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
};

/** The audit, newest first. `action` by its beginning, for example `lead`; `subject` whole (`lead:42`) or its kind (`lead`); days of the organisation. */
export const listAudit = defineRoute({
  method: "GET",
  path: "/api/admin/audit",
  summary: "Who did what",
  query: pageQuerySchema.extend(auditQuery),
  response: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      userId: z.number().nullable(),
      userName: z.string().nullable(),
      action: z.string(),
      subject: z.string().nullable(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** The same entries as `audit.jsonl`, one JSON object a line, streamed; that it was taken is an entry itself. */
export const exportAudit = defineRoute({
  method: "GET",
  path: "/api/admin/audit/export",
  summary: "The audit as JSON lines",
  query: z.object(auditQuery),
  response: z.unknown(),
});

/** Contacts that the contact policy refused, newest first: who wanted to reach whom, how, and why not. */
export const listRefusals = defineRoute({
  method: "GET",
  path: "/api/admin/refusals",
  summary: "Contacts that were refused, and why",
  query: pageQuerySchema.extend({
    user: idSchema.optional(),
    reason: z.enum([...contactRefusals, ""]).optional(),
  }),
  response: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      userId: z.number(),
      userName: z.string(),
      leadId: z.number(),
      leadName: z.string(),
      channel: z.enum(contactChannels),
      /** By a click, or by the auto-dialer. */
      by: z.enum(["person", "dialer"]),
      reason: z.enum(contactRefusals),
    }),
  ),
});

export const healthParts = ["database", "jobs", "telephony", "crm", "calendar", "webhooks", "mail"] as const;

/** Health of the parts: whether each works, what waits or failed in the last hour. Providers are not asked; what was last known counts. */
export const getIntegrationHealth = defineRoute({
  method: "GET",
  path: "/api/admin/health",
  summary: "Health of the integrations",
  response: z.array(
    z.object({
      part: z.enum(healthParts),
      state: z.enum(["ok", "warning", "failing", "off"]),
      waiting: z.number(),
      failed: z.number(),
      lastOkAt: z.string().nullable(),
      lastFailure: z.string().nullable(),
    }),
  ),
});
