import type { BulkEdit, BulkReason } from "@portal/contract/entities/bulk-change";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type { AuthSession } from "../../platform/http/session.ts";
import { isWriter, mayAssign } from "../leads/policy.ts";

interface JudgedLead {
  status: LeadStatus;
  priority: Priority;
  assignedTo: number | null;
}

/** Why an act leaves a lead as it is; null where it changes it. Texts are the contact policy's besides. */
export function skipReasonOf(actor: AuthSession, edit: BulkEdit, lead: JudgedLead): BulkReason | null {
  const isTheirs = edit.kind === "assign" ? mayAssign(actor, lead) : isWriter(actor, lead);
  if (!isTheirs) return "not_yours";
  switch (edit.kind) {
    case "status":
      if (lead.status === "converted") return "client";
      return lead.status === edit.status ? "already" : null;
    case "priority":
      return lead.priority === edit.priority ? "already" : null;
    case "assign":
      return lead.assignedTo === edit.salesRepId ? "already" : null;
    case "text":
      return null;
  }
}
