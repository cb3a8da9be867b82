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

/** What can be exported as a file. */
export const exportedThings = ["leads", "calls", "clients", "audit", "failed_rows"] as const;
export type ExportedThing = (typeof exportedThings)[number];

/** Something that happened a moment ago, shown on every page or on the desktop. */
export const notificationEntrySchema = z.object({
  kind: z.enum(["text", "missed-call", "large-export", ...adminAlertKinds]),
  /** Of the text, the inbound call or the export's entry in the audit, 0 otherwise; with `kind` it names the notice. */
  id: z.number(),
  /** The lead's name, the number of a stranger, or who exported; empty for what concerns nobody in particular, or the holder of a key. */
  from: z.string(),
  /** The reader's own lead, whose thread a text belongs to; null for nobody's. */
  leadId: z.number().nullable(),
  /** What the text says; null for calls. */
  text: z.string().nullable(),
  /** What a large export holds; of that kind alone. */
  exported: z.object({ what: z.enum(exportedThings), count: z.number() }).optional(),
  at: z.string(),
});
export type NotificationEntry = z.infer<typeof notificationEntrySchema>;

/**
 * Unread texts and missed calls of the last two minutes that are the user's to answer, the newest first and at most 20; kinds that they
 * do not want are left out. Meetings are read from the list of meetings. Administrators get what is theirs to fix as well,
 * each kind once and for as long as it lasts, and the latest large exports of others in three days.
 */
export const listNotifications = defineRoute({
  method: "GET",
  path: "/api/notices",
  summary: "What the desktop tells",
  response: z.array(notificationEntrySchema),
});
