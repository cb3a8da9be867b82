import { z } from "zod";
import { availabilitySchema } from "../entities/availability.ts";
import { daySchema, idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { organisationSettingsSchema } from "../entities/settings.ts";
import { contactChannels, contactRefusals } from "../errors.ts";
import { defineRoute } from "../route.ts";

/** Metrics of the whole system. Today is a day in the organization's time zone. Rates in percent, null if there is nothing to divide by. */
export const systemStatsSchema = z.object({
  totalUsers: z.number(),
  /** Users with a connected browser, or active within the last 5 minutes. */
  activeUsers: z.number(),
  leadsProcessedToday: z.number(),
  totalLeads: z.number(),
  totalCalls: z.number(),
  conversionRate: z.number().nullable(),
  /** Mean over users who have work due; null if nobody has. */
  avgProductivity: z.number().nullable(),
});
export type SystemStats = z.infer<typeof systemStatsSchema>;

/** Metrics of one user. */
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
  /** 100 × due work with an outcome today ÷ due work; null if nothing is due. */
  productivityScore: z.number().nullable(),
});
export type UserStats = z.infer<typeof userStatsSchema>;

/** Settings of the organization. */
export const getOrganisationSettings = defineRoute({
  method: "GET",
  path: "/api/organisation-settings",
  summary: "Settings of the organization",
  response: organisationSettingsSchema,
});

/** Saves the settings sent. They apply to calls dialed from now on and to the Today lists. */
export const updateOrganisationSettings = defineRoute({
  method: "PATCH",
  path: "/api/organisation-settings",
  summary: "Save the settings of the organization",
  body: z.strictObject(organisationSettingsSchema.partial().shape),
  response: organisationSettingsSchema,
});

/** Metrics for the cards of the admin panel; polled every 30 s. */
export const getSystemStats = defineRoute({
  method: "GET",
  path: "/api/admin/system-stats",
  summary: "Metrics of the whole system",
  response: systemStatsSchema,
});

/** Metrics of each active account, by name; polled every 15 s. */
export const getUserStats = defineRoute({
  method: "GET",
  path: "/api/admin/user-stats",
  summary: "Metrics by user",
  response: z.array(userStatsSchema),
});

/**
 * What a consultant is doing now: free, their phone or the lead's is ringing, answered while detection runs, on a call, in wrap-up, or with
 * a paused dialer session.
 */
export const repStates = ["free", "ringing", "checking", "on_call", "wrap_up", "paused"] as const;
export type RepState = (typeof repStates)[number];

/** State of each active account, and since when. */
export const getLiveStates = defineRoute({
  method: "GET",
  path: "/api/admin/live",
  summary: "Current activity of all users",
  response: z.array(
    z.object({
      userId: z.number(),
      state: z.enum(repStates),
      /** Null for `free` if there was no call before. */
      since: z.string().nullable(),
      leadId: z.number().nullable(),
      leadName: z.string().nullable(),
      /** Their availability, and when it ends automatically. */
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

/**
 * The audit log, newest first. `action` matches by prefix, for example `lead`; `subject` matches exactly (`lead:42`) or by kind (`lead`).
 * Days are in the organization's time zone.
 */
export const listAudit = defineRoute({
  method: "GET",
  path: "/api/admin/audit",
  summary: "Audit log",
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

/** Streams the same entries as `audit.jsonl`, one JSON object per line. The export is recorded in the audit log. */
export const exportAudit = defineRoute({
  method: "GET",
  path: "/api/admin/audit/export",
  summary: "Export the audit log as JSON lines",
  query: z.object(auditQuery),
  response: z.unknown(),
});

/** Contacts refused by the contact policy, newest first: user, lead, channel and reason. */
export const listRefusals = defineRoute({
  method: "GET",
  path: "/api/admin/refusals",
  summary: "Contacts refused by the contact policy, with reasons",
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
      /** Whether a person or the auto-dialer tried to contact the lead. */
      by: z.enum(["person", "dialer"]),
      reason: z.enum(contactRefusals),
    }),
  ),
});

export const healthParts = ["database", "jobs", "telephony", "crm", "calendar", "webhooks", "mail"] as const;

/**
 * Health of each part: its state, and what is waiting or failed in the last hour. Based on the last known state; providers are not called.
 */
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
