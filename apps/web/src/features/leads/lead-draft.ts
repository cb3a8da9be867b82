import { editableLeadStatuses, type Lead, type Priority } from "@portal/contract/entities/lead";
import { sameFollowUpDay } from "../../lib/follow-up.ts";
import type { LeadChange } from "./mutations.ts";

export type EditableStatus = (typeof editableLeadStatuses)[number];

/** What is typed in the Update Lead Status dialog. */
export interface LeadDraft {
  /** Null for a converted lead, whose status stays. */
  readonly status: EditableStatus | null;
  readonly priority: Priority;
  readonly notes: string;
  readonly nextFollowUpDate: string | null;
}

export function draftOf(lead: Lead): LeadDraft {
  return {
    status: editableLeadStatuses.find((status) => status === lead.status) ?? null,
    priority: lead.priority,
    notes: lead.notes ?? "",
    nextFollowUpDate: lead.nextFollowUpDate,
  };
}

/** The fields that differ from the lead as it was opened; null where none does. Empty notes are sent as null (specification §5). */
export function changeOf(draft: LeadDraft, opened: LeadDraft): LeadChange | null {
  const change: LeadChange = {
    ...(draft.status && draft.status !== opened.status ? { status: draft.status } : {}),
    ...(draft.priority !== opened.priority ? { priority: draft.priority } : {}),
    ...(draft.notes.trim() !== opened.notes.trim() ? { notes: draft.notes.trim() || null } : {}),
    ...(sameFollowUpDay(draft.nextFollowUpDate, opened.nextFollowUpDate)
      ? {}
      : { nextFollowUpDate: draft.nextFollowUpDate }),
  };
  return Object.keys(change).length > 0 ? change : null;
}
