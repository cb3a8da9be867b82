import { z } from "zod";
import { contactRefusals } from "../errors.ts";

/** Lead states (specification §4). `converted` is reached only by converting. */
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

/** A lead (specification §3). Instants are ISO strings; `leadStatus`, `lastContactDate` and `assignedDate` repeat their newer twins. */
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
  priority: z.enum(priorities),
  notes: z.string().nullable(),
  dealValue: z.number().nullable(),
  ghlContactId: z.string().nullable(),
  /** Path of this server that streams the AI agent's call, or null. */
  aiRecordingUrl: z.string().nullable(),
  nextFollowUpDate: z.string().nullable(),
  lastContactDate: z.string().nullable(),
  lastContactedAt: z.string().nullable(),
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
  /** Inbound texts that the owner has not seen. */
  unreadTexts: z.number(),
  crmSync: z.enum(crmSyncStates),
});
export type Lead = z.infer<typeof leadSchema>;

/** Tiles of the leads page (specification §3, Dashboard stats). */
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
