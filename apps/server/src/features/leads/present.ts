import type { Lead } from "@portal/contract/entities/lead";
import type { SystemLead } from "@portal/contract/routes/all-leads";
import { isoOf } from "../../db/instant-text.ts";
import { decideContact, type GateRules, type LeadFacts } from "../gate/decide-contact.ts";
import type { LeadRow, SystemLeadRow } from "./data.ts";

const iso = (instant: string | null) => instant && isoOf(instant);
const dateOf = (instant: string | null) => (instant === null ? null : new Date(isoOf(instant)));

/** What the gate asks of a row. */
const factsOf = (row: LeadRow): LeadFacts => ({
  phone: row.phone,
  phoneE164: row.phoneE164,
  callOptOut: row.callOptOut,
  textOptOut: row.textOptOut,
  numberFault: row.numberFault,
  timeZone: row.timeZone,
  consentAt: dateOf(row.consentAt),
  leadOnCall: row.leadOnCall,
  lastCallSlot: dateOf(row.lastCallSlot),
  lastTextSlot: dateOf(row.lastTextSlot),
});

/** Why the lead may not be contacted now, and when they may; caps and calls of the person who looks are the gate's own. */
function contact(lead: LeadFacts, rules: GateRules, channel: "call" | "text") {
  const question = { lead, channel, now: new Date(), rules };
  const answer = decideContact(question);
  if (answer.allowed) return { refusal: null, allowedAt: null, override: false };
  return {
    refusal: answer.reason,
    allowedAt: answer.nextAllowedAt?.toISOString() ?? null,
    override: decideContact({ ...question, overridden: true }).allowed,
  };
}

/** A lead of the whole system as the API answers it, field by field. */
export function presentSystemLead(row: SystemLeadRow): SystemLead {
  const [lastContactedAt, assignedAt] = [iso(row.lastContactedAt), iso(row.assignedAt)];
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
    lastContactDate: lastContactedAt,
    lastContactedAt,
    assignedDate: assignedAt,
    assignedAt,
    assignedTo: row.assignedTo,
    salesRepName: row.salesRepName,
    createdAt: isoOf(row.createdAt),
    convertedAt: iso(row.convertedAt),
    consentAt: iso(row.consentAt),
    consentSource: row.consentSource,
    crmSync: row.crmSync,
  };
}

/** A lead as those who work on it get it. */
export function presentLead(row: LeadRow, gate: GateRules): Lead {
  const facts = factsOf(row);
  const call = contact(facts, gate, "call");
  const text = contact(facts, gate, "text");
  return {
    ...presentSystemLead(row),
    callRefusal: call.refusal,
    callAllowedAt: call.allowedAt,
    textRefusal: text.refusal,
    textAllowedAt: text.allowedAt,
    callOverride: call.override,
    textOverride: text.override,
    unreadTexts: row.unreadTexts,
  };
}
