import type { Lead } from "@portal/contract/entities/lead";
import type { Database, Tx } from "../../db/client.ts";
import type { LookUp } from "../../db/shared-connection.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import { findLead, findLeadForUpdate } from "./data.ts";
import { isWriter } from "./policy.ts";

export interface LeadsContext {
  database: Database;
  /** Zone in which the organisation counts its days. */
  orgTimeZone: string;
  gate: GateRules;
}

/** Who may write to a lead: its assignee and administrators. Errors: `not_found`, `not_your_lead`. */
export function mayWrite<Lead extends { assignedTo: number | null }>(
  actor: Session,
  lead: Lead | undefined,
): asserts lead is Lead {
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (!isWriter(actor, lead)) throw new AppError("not_your_lead");
}

/**
 * Locks a lead for a write by this person, until the transaction ends.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function lockLead(tx: Tx, actor: Session, leadId: number) {
  const lead = await findLeadForUpdate(tx, leadId);
  mayWrite(actor, lead);
  return lead;
}

/** One lead as the API answers it to this person, as JSON. Errors: `not_found`. */
export async function readLead(
  context: { lookUp: LookUp; gate: GateRules },
  { leadId, actor }: { leadId: number; actor: Session },
): Promise<string> {
  const lead = await findLead(context, { leadId, actorId: actor.userId });
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  return lead;
}

/** The same, for an answer that holds more. */
export async function getLead(
  { database, gate }: Pick<LeadsContext, "database" | "gate">,
  asked: { leadId: number; actor: Session },
): Promise<Lead> {
  return JSON.parse(await readLead({ lookUp: database.lookUp, gate }, asked));
}
