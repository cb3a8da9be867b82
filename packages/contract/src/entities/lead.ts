import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { loggedOutcomes } from "./call.ts";
import { languages } from "./user.ts";

/** Lead states. `converted` is reached only by converting. */
export const leadStatuses = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "not_interested",
  "converted",
] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** What the Update Lead Status dialog offers. */
export const editableLeadStatuses = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "not_interested",
] as const;

export const priorities = ["high", "medium", "low"] as const;
export type Priority = (typeof priorities)[number];

/** Whether the CRM has what was changed here. */
export const crmSyncStates = ["synced", "pending", "failed", "none"] as const;

/** Tries to reach a lead by phone: logged outbound calls, whose lead was rung or found out of reach, by whomever and however they were made. */
export const lastAttemptFields = {
  attempts: z.number(),
  /** When the last one began; null where there was none. */
  lastAttemptAt: z.string().nullable(),
  /** What came of it: the consultant's word, until then the provider's; null where neither is known. */
  lastAttemptOutcome: z.enum(loggedOutcomes).nullable(),
};

/** A lead. Instants are ISO strings; `leadStatus`, `lastContactDate` and `assignedDate` repeat their newer twins. */
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
  /** The language to speak and write to the lead in, as a person confirmed it. */
  language: z.enum(languages).nullable(),
  /** What the lead's own texts look like; nobody has confirmed it. */
  languageGuess: z.enum(languages).nullable(),
  priority: z.enum(priorities),
  notes: z.string().nullable(),
  dealValue: z.number().nullable(),
  ghlContactId: z.string().nullable(),
  /** Path of this server that streams the AI agent's call, or null. */
  aiRecordingUrl: z.string().nullable(),
  /** Length of the AI agent's call; null where the CRM does not say. */
  aiRecordingSeconds: z.number().nullable(),
  nextFollowUpDate: z.string().nullable(),
  /** The time of the follow-up on that date, 'HH:MM' on the clocks of its IANA zone, and the instant of both; null where it has none. */
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
  /** Why a call would be refused right now, or null when it may be made. */
  callRefusal: z.enum(contactRefusals).nullable(),
  /** When a call will be allowed, where the refusal ends by itself. */
  callAllowedAt: z.string().nullable(),
  /** The same for texts. */
  textRefusal: z.enum(contactRefusals).nullable(),
  textAllowedAt: z.string().nullable(),
  /** Whether an administrator's reason would lift the refusal of a call, and of a text. */
  callOverride: z.boolean(),
  textOverride: z.boolean(),
  /** When and how the lead agreed to be contacted; some markets ask for it. */
  consentAt: z.string().nullable(),
  consentSource: z.string().nullable(),
  /** Where the lead's clocks are, by number and contact, IANA; null where that is not known or more than one zone. */
  timeZone: z.string().nullable(),
  /** Inbound texts that the owner has not seen. */
  unreadTexts: z.number(),
  crmSync: z.enum(crmSyncStates),
});
export type Lead = z.infer<typeof leadSchema>;

/** Tiles of the leads page. */
export const dashboardStatsSchema = z.object({
  totalLeads: z.number(),
  contactedToday: z.number(),
  pendingFollowUp: z.number(),
  newLeads: z.number(),
  contactedLeads: z.number(),
  interestedLeads: z.number(),
  notInterestedLeads: z.number(),
  /** Ended calls of the scope that still lack the rep's outcome. */
  needsOutcome: z.number(),
});
export type DashboardStats = z.infer<typeof dashboardStatsSchema>;
