import { z } from "zod";
import { defineRoute } from "../route.ts";

/** Problems that only administrators can fix. They are notified for as long as the problem lasts. */
export const adminAlertKinds = [
  "google_api_off",
  "google_domain_policy",
  "crm_deletions_held",
  "crm_lost",
  "calls_not_connected",
] as const;
export type AdminAlertKind = (typeof adminAlertKinds)[number];

/** Data that can be exported as a file. */
export const exportedThings = ["leads", "calls", "clients", "audit", "failed_rows"] as const;
export type ExportedThing = (typeof exportedThings)[number];

/** A recent event, shown on every page or as a desktop notification. */
export const notificationEntrySchema = z.object({
  kind: z.enum(["text", "missed-call", "large-export", ...adminAlertKinds]),
  /** Id of the SMS, the inbound call or the export's audit entry, otherwise 0. Together with `kind` it identifies the notification. */
  id: z.number(),
  /**
   * The lead's name, the unknown number, or the user who exported; empty if it concerns nobody in particular, or for the holder of an API
   * key.
   */
  from: z.string(),
  /** The user's own lead that it belongs to; null if none. */
  leadId: z.number().nullable(),
  /** Body of the SMS; null for calls. */
  text: z.string().nullable(),
  /** Content of a large export; only for that kind. */
  exported: z.object({ what: z.enum(exportedThings), count: z.number() }).optional(),
  at: z.string(),
});
export type NotificationEntry = z.infer<typeof notificationEntrySchema>;

/**
 * Unread SMS and missed calls of the last two minutes that the user is responsible for, newest first, at most 20; kinds the user disabled
 * are omitted. Meetings are read from the meetings list. Administrators also get the problems they have to fix, one entry per kind while it
 * lasts, and other users' large exports of the last three days.
 */
export const listNotifications = defineRoute({
  method: "GET",
  path: "/api/notices",
  summary: "Desktop notifications",
  response: z.array(notificationEntrySchema),
});
