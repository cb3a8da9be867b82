import type { Lead } from "@portal/contract/entities/lead";
import type { LeadRow } from "./data.ts";

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

/** A lead as the API answers it, field by field. */
export function presentLead(row: LeadRow): Lead {
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
    callRefusal: row.callRefusal,
    callAllowedAt: null,
    textRefusal: row.textRefusal,
    textAllowedAt: null,
    unreadTexts: row.unreadTexts,
    crmSync: row.crmSync,
  };
}
