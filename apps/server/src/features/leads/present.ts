import type { Lead } from "@portal/contract/entities/lead";
import type { ContactChannel } from "@portal/contract/errors";
import type { SystemLead } from "@portal/contract/routes/all-leads";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import { decideContact } from "../contact-policy/decide-contact.ts";
import type { LeadRow, SystemLeadRow } from "./lead-repository.ts";

const isoOf = (instant: Date | null) => instant?.toISOString() ?? null;

/** Presents the fields of a lead that everybody may see. */
export function presentSystemLead(row: SystemLeadRow): SystemLead {
  const lastContactedAt = isoOf(row.lastContactedAt);
  const assignedAt = isoOf(row.assignedAt);
  const hasRecording = row.aiRecordingMessageId !== null;
  return {
    id: row.id,
    name: row.name,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phone: row.phone,
    company: row.company,
    industry: row.industry,
    status: row.status,
    leadStatus: row.status,
    leadSource: row.leadSource,
    language: row.language,
    languageGuess: row.languageGuess,
    priority: row.priority,
    notes: row.notes,
    dealValue: row.dealValue,
    ghlContactId: row.ghlContactId,
    aiRecordingUrl: hasRecording ? `/api/ai-recording/${row.id}` : null,
    aiRecordingSeconds: hasRecording ? row.aiRecordingSeconds : null,
    nextFollowUpDate: isoOf(row.nextFollowUpDate),
    nextFollowUpTime: row.nextFollowUpTime,
    nextFollowUpZone: row.nextFollowUpZone,
    nextFollowUpAt: isoOf(row.nextFollowUpAt),
    lastContactDate: lastContactedAt,
    lastContactedAt,
    attempts: row.attempts,
    lastAttemptAt: isoOf(row.lastAttemptAt),
    lastAttemptOutcome: row.lastAttemptOutcome,
    assignedDate: assignedAt,
    assignedAt,
    assignedTo: row.assignedTo,
    salesRepName: row.salesRepName,
    createdAt: row.createdAt.toISOString(),
    convertedAt: isoOf(row.convertedAt),
    consentAt: isoOf(row.consentAt),
    consentSource: row.consentSource,
    crmSync: row.crmSync,
  };
}

/** Why the lead may not be contacted now, from when they may, and whether an administrator may override the refusal. */
function presentContact(lead: LeadRow, channel: ContactChannel, rules: ContactPolicyRules, now: Date) {
  const question = { lead, channel, now, rules };
  const decision = decideContact(question);
  if (decision.allowed) return { refusal: null, allowedAt: null, override: false };
  return {
    refusal: decision.reason,
    allowedAt: decision.nextAllowedAt?.toISOString() ?? null,
    override: decideContact({ ...question, overridden: true }).allowed,
  };
}

/** Presents a lead for its assignee and administrators. The refusals do not count the reader's own daily limits and active calls. */
export function presentLead(row: LeadRow, rules: ContactPolicyRules, now = new Date()): Lead {
  const call = presentContact(row, "call", rules, now);
  const text = presentContact(row, "text", rules, now);
  return {
    ...presentSystemLead(row),
    // Several zones give no single local time.
    timeZone: row.timeZone?.includes("&") ? null : row.timeZone,
    unreadTexts: row.unreadTexts,
    isMerged: row.isMerged,
    callRefusal: call.refusal,
    callAllowedAt: call.allowedAt,
    callOverride: call.override,
    textRefusal: text.refusal,
    textAllowedAt: text.allowedAt,
    textOverride: text.override,
  };
}
