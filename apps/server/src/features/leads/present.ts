import type { Lead } from "@portal/contract/entities/lead";
import { decideContact, type GateRules } from "../gate/decide-contact.ts";
import type { LeadRow } from "./data.ts";

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

/** Why the lead may not be contacted now, and when they may; caps and calls of the person who looks are the gate's own. */
function contact(row: LeadRow, rules: GateRules, channel: "call" | "text") {
  const question = { lead: row, channel, now: new Date(), rules };
  const answer = decideContact(question);
  if (answer.allowed) return { refusal: null, allowedAt: null, override: false };
  return {
    refusal: answer.reason,
    allowedAt: iso(answer.nextAllowedAt ?? null),
    override: decideContact({ ...question, overridden: true }).allowed,
  };
}

/** A lead as the API answers it, field by field. */
export function presentLead(row: LeadRow, gate: GateRules): Lead {
  const call = contact(row, gate, "call");
  const text = contact(row, gate, "text");
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
    priority: row.priority,
    notes: row.notes,
    dealValue: row.dealValue,
    ghlContactId: row.ghlContactId,
    aiRecordingUrl: row.aiRecordingMessageId ? `/api/ai-recording/${row.id}` : null,
    nextFollowUpDate: iso(row.nextFollowUpDate),
    lastContactDate: iso(row.lastContactedAt),
    lastContactedAt: iso(row.lastContactedAt),
    assignedDate: iso(row.assignedAt),
    assignedAt: iso(row.assignedAt),
    assignedTo: row.assignedTo,
    salesRepName: row.salesRepName,
    createdAt: row.createdAt.toISOString(),
    convertedAt: iso(row.convertedAt),
    callRefusal: call.refusal,
    callAllowedAt: call.allowedAt,
    textRefusal: text.refusal,
    textAllowedAt: text.allowedAt,
    callOverride: call.override,
    textOverride: text.override,
    consentAt: iso(row.consentAt),
    consentSource: row.consentSource,
    unreadTexts: row.unreadTexts,
    crmSync: row.crmSync,
  };
}
