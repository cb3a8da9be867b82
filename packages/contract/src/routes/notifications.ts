import { z } from "zod";
import { defineRoute } from "../route.ts";

/** What only administrators can fix, and are notified of for as long as it lasts. */
export const adminAlertKinds = [
  "google_api_off",
  "google_domain_policy",
  "crm_deletions_held",
  "crm_lost",
  "calls_not_connected",
] as const;
export type AdminAlertKind = (typeof adminAlertKinds)[number];

/** Something that happened a moment ago, shown on every page or on the desktop. */
export const notificationEntrySchema = z.object({
  kind: z.enum(["text", "missed-call", ...adminAlertKinds]),
  /** Of the text or the inbound call, 0 otherwise; with `kind` it names the notice. */
  id: z.number(),
  /** The lead's name, or the number of a stranger; empty for what concerns nobody in particular. */
  from: z.string(),
  /** The reader's own lead, whose thread a text belongs to; null for nobody's. */
  leadId: z.number().nullable(),
  /** What the text says; null for calls. */
  text: z.string().nullable(),
  at: z.string(),
});
export type NotificationEntry = z.infer<typeof notificationEntrySchema>;

/**
 * Unread texts and missed calls of the last two minutes that are the user's to answer, the newest first and at most 20; kinds that they
 * do not want are left out. Meetings are read from the list of meetings. Administrators get what is theirs to fix as well,
 * each kind once and for as long as it lasts.
 */
export const listNotifications = defineRoute({
  method: "GET",
  path: "/api/notices",
  summary: "What the desktop tells",
  response: z.array(notificationEntrySchema),
});
