import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { loggedOutcomes } from "./call.ts";
import { languages } from "./user.ts";

/** Lead statuses. `converted` is only set by converting the lead. */
export const leadStatuses = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "not_interested",
  "converted",
] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** Statuses offered in the Update Lead Status dialog. */
export const editableLeadStatuses = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "not_interested",
] as const;

export const priorities = ["high", "medium", "low"] as const;
export type Priority = (typeof priorities)[number];

/** Whether the CRM has the changes made here. */
export const crmSyncStates = ["synced", "pending", "failed", "none"] as const;

/**
 * Attempts to reach a lead by phone: logged outbound calls by anyone, by any means, where the lead's phone rang or was found unreachable.
 */
export const lastAttemptFields = {
  attempts: z.number(),
  /** When the last attempt began; null if none. */
  lastAttemptAt: z.string().nullable(),
  /** Outcome of the last attempt: the consultant's, or until then the provider's; null if neither is known. */
  lastAttemptOutcome: z.enum(loggedOutcomes).nullable(),
};

/**
 * A lead. Timestamps are ISO strings. `leadStatus`, `lastContactDate` and `assignedDate` duplicate `status`, `lastContactedAt` and
 * `assignedAt`.
 */
export const leadSchema = z.object({
  id: z.number(),
  name: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  company: z.string().nullable(),
  industry: z.string().nullable(),
  status: z.enum(leadStatuses),
  leadStatus: z.enum(leadStatuses),
  leadSource: z.string().nullable(),
  /** The language to use with the lead, as confirmed by a person; null if not confirmed. */
  language: z.enum(languages).nullable(),
  /** The language guessed from the lead's SMS; not confirmed by anyone. */
  languageGuess: z.enum(languages).nullable(),
  priority: z.enum(priorities),
  notes: z.string().nullable(),
  dealValue: z.number().nullable(),
  ghlContactId: z.string().nullable(),
  /** Path on this server that streams the AI agent's call; null if there is none. */
  aiRecordingUrl: z.string().nullable(),
  /** Length of the AI agent's call; null if the CRM does not report it. */
  aiRecordingSeconds: z.number().nullable(),
  nextFollowUpDate: z.string().nullable(),
  /**
   * The time of the follow-up, 'HH:MM' in the local time of its IANA zone, and the resulting instant; null if the follow-up has no time.
   */
  nextFollowUpTime: z.string().nullable(),
  nextFollowUpZone: z.string().nullable(),
  nextFollowUpAt: z.string().nullable(),
  lastContactDate: z.string().nullable(),
  lastContactedAt: z.string().nullable(),
  ...lastAttemptFields,
  assignedDate: z.string().nullable(),
  assignedAt: z.string().nullable(),
  assignedTo: z.number().nullable(),
  salesRepName: z.string().nullable(),
  createdAt: z.string(),
  convertedAt: z.string().nullable(),
  /** Why a call would be refused now; null if it is allowed. */
  callRefusal: z.enum(contactRefusals).nullable(),
  /** When a call will be allowed, if the refusal ends automatically. */
  callAllowedAt: z.string().nullable(),
  /** The same for SMS. */
  textRefusal: z.enum(contactRefusals).nullable(),
  textAllowedAt: z.string().nullable(),
  /** Whether an administrator can override the refusal of a call or an SMS by giving a reason. */
  callOverride: z.boolean(),
  textOverride: z.boolean(),
  /** When and how the lead consented to contact; required in some markets. */
  consentAt: z.string().nullable(),
  consentSource: z.string().nullable(),
  /** The lead's IANA time zone, by phone number and CRM contact; null if unknown or ambiguous. */
  timeZone: z.string().nullable(),
  /** Inbound SMS that the assigned consultant has not seen. */
  unreadTexts: z.number(),
  /** Whether another lead was merged into it: only then it has merges, and may have further numbers. */
  isMerged: z.boolean(),
  crmSync: z.enum(crmSyncStates),
});
export type Lead = z.infer<typeof leadSchema>;

/** Figures on the tiles of the leads page. */
export const dashboardStatsSchema = z.object({
  totalLeads: z.number(),
  contactedToday: z.number(),
  pendingFollowUp: z.number(),
  newLeads: z.number(),
  contactedLeads: z.number(),
  interestedLeads: z.number(),
  notInterestedLeads: z.number(),
  /** Ended calls in the user's scope without the consultant's outcome. */
  needsOutcome: z.number(),
});
export type DashboardStats = z.infer<typeof dashboardStatsSchema>;
