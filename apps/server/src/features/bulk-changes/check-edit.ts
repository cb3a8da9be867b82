import type { BulkEdit, BulkReason } from "@portal/contract/entities/bulk-change";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import { isWriter, mayAssign } from "../leads/policy.ts";
import { checkMessage } from "../sms/send-message.ts";
import { requireSmsProvider } from "../sms/service.ts";
import { type JudgedLead, listLeads } from "./repository.ts";
import type { BulkContext } from "./types.ts";

export interface Asked<Edit extends BulkEdit = BulkEdit> {
  actor: AuthSession;
  edit: Edit;
  leadIds: readonly number[];
}

/**
 * Checks a bulk change as a whole, and returns it as it is applied. Errors: `invalid` (no active consultant, too many texts),
 * `message_empty`, `message_too_long`, `provider_off`.
 */
export async function checkEdit(
  context: BulkContext,
  tx: Tx,
  { edit, leadIds }: Pick<Asked, "edit" | "leadIds">,
): Promise<BulkEdit> {
  if (edit.kind === "assign" && !(await holdSalesRep(tx, edit.salesRepId)))
    throw new AppError("invalid", "The leads can only be given to an active consultant.");
  if (edit.kind !== "text") return edit;
  requireSmsProvider(context.sms);
  if (leadIds.length > limits.bulkTextsMax)
    throw new AppError("invalid", `At most ${limits.bulkTextsMax} leads get a text at once.`);
  return { ...edit, message: checkMessage(edit.message) };
}

/** The existing leads, by name, each with the reason if it is skipped. */
export async function judgeLeads(
  context: BulkContext,
  db: Db,
  { actor, edit, leadIds }: Asked,
): Promise<{ lead: JudgedLead; reason: BulkReason | null }[]> {
  const leads = await listLeads(db, leadIds, edit.kind === "text" ? actor : null);
  const now = new Date();
  return leads.map((lead) => {
    const reason = skipReasonOf(actor, edit, lead);
    if (reason || edit.kind !== "text") return { lead, reason };
    const facts = lead as JudgedLead & LeadFacts;
    const answer = decideContact({ lead: facts, channel: "text", now, rules: context.contactPolicy });
    return { lead, reason: answer.allowed ? null : answer.reason };
  });
}

interface EditedLead {
  status: LeadStatus;
  priority: Priority;
  assignedTo: number | null;
}

/** Why a bulk change skips a lead; null if it changes it. For texts the contact policy decides in addition. */
export function skipReasonOf(actor: AuthSession, edit: BulkEdit, lead: EditedLead): BulkReason | null {
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
