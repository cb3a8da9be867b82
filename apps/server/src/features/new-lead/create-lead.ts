import type { Lead, Priority } from "@portal/contract/entities/lead";
import type { KnownLead } from "@portal/contract/routes/leads";
import { readEmail, readPhone } from "../../domain/contact-cells.ts";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import {
  findLeadMadeBy,
  findLeadsByAddress,
  type KnownLeadRow,
  type LeadAddress,
} from "../leads/duplicate-repository.ts";
import { ingestLeads } from "../leads/ingest/ingest-leads.ts";
import { type PreparedLead, prepareLead, recordPolicy } from "../leads/ingest/merge-record.ts";
import type { ConflictPolicy } from "../leads/ingest/policy.ts";
import { getLead } from "../leads/service.ts";
import { attachMessagesToNewLead } from "../sms/service.ts";
import { attachCallsOfNumber } from "../telephony/inbound/repository.ts";

export interface NewLeadContext {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  defaultCountry: "US" | "ES";
  contactPolicy: ContactPolicyRules;
}

type Typed = string | null | undefined;

/** A lead as typed by a user. */
export interface NewLead {
  firstName?: Typed;
  lastName?: Typed;
  phone?: Typed;
  email?: Typed;
  company?: Typed;
  industry?: Typed;
  leadSource?: Typed;
  priority?: Priority | undefined;
  notes?: Typed;
  /** The assignee; a consultant's leads are always their own. */
  salesRepId?: number | null | undefined;
  /** The user has confirmed that another lead has the same number. */
  isKnownPhoneFine: boolean;
  clientRef?: string | undefined;
}

/** Leads with this number or this email; none if neither is valid. */
export async function findKnownLeads(
  { database, defaultCountry }: NewLeadContext,
  typed: { phone?: string | undefined; email?: string | undefined },
): Promise<KnownLead[]> {
  const address = {
    email: readEmail(typed.email ?? "").email,
    phoneE164: readPhone(typed.phone ?? "", defaultCountry).phoneE164,
  };
  return findLeadsByAddress(database.db, address);
}

/** The normalised email and phone of the new lead. Errors: `invalid` (neither, or no valid email), `phone_invalid`. */
function readAddress(lead: NewLead, country: "US" | "ES"): LeadAddress & { phone: string | null } {
  const [typedPhone, typedEmail] = [lead.phone?.trim() ?? "", lead.email?.trim() ?? ""];
  if (!typedPhone && !typedEmail)
    throw new AppError("invalid", "A lead needs a phone number or an email address.");
  const { email } = readEmail(typedEmail);
  if (typedEmail && !email) throw new AppError("invalid", "email: this is no email address");
  const { phone, phoneE164 } = readPhone(typedPhone, country);
  if (typedPhone && !phoneE164) throw new AppError("phone_invalid", "This phone number is not valid.");
  return { email, phone: phone || null, phoneE164 };
}

/** The assignee of the new lead. Errors: `forbidden` (a consultant who names somebody else), `invalid` (no active consultant). */
async function ownerOf(
  tx: Tx,
  actor: AuthSession,
  salesRepId: number | null | undefined,
): Promise<number | null> {
  if (actor.role === "consultant") {
    if (salesRepId != null && salesRepId !== actor.userId) throw new AppError("forbidden");
    return actor.userId;
  }
  if (salesRepId == null) return null;
  if (!(await holdSalesRep(tx, salesRepId)))
    throw new AppError("invalid", "The lead can only be given to an active consultant.");
  return salesRepId;
}

/** Refuses a lead that already exists. Errors: `lead_exists`. */
function refuseKnown(known: readonly KnownLeadRow[], isKnownPhoneFine: boolean): void {
  if (known.some(({ by }) => by.includes("email")))
    throw new AppError("lead_exists", "A lead with this email address exists already.");
  if (known.length > 0 && !isKnownPhoneFine)
    throw new AppError("lead_exists", "A lead with this phone number exists already.");
}

/**
 * The policy for a manually created lead: always a new one, since known leads were refused before. Opt-outs of its number apply to it as
 * well.
 */
function handPolicy(input: {
  assignTo: number | null;
  clientRef: string | undefined;
  known: readonly KnownLeadRow[];
}): ConflictPolicy<PreparedLead> {
  const { assignTo, clientRef, known } = input;
  const optOuts = {
    call_opt_out: known[0]?.callOptOut ?? null,
    text_opt_out: known[0]?.textOptOut ?? null,
  };
  const policy = recordPolicy({
    known: "skip",
    from: { kind: "hand", data: { clientRef } },
    assignTo,
  });
  return {
    ...policy,
    identityOf: ({ columns }) => ({ ...columns, phone_e164: null }),
    create: (record) => ({ ...policy.create(record), ...optOuts }),
  };
}

/** Moves earlier texts and calls of the number, which had no lead, to the lead. */
async function attachHistory(
  tx: Tx,
  { userId, leadId, number }: { userId: number; leadId: number; number: string },
): Promise<{ calls: number; texts: number }> {
  const texts = await attachMessagesToNewLead(tx, { userId, leadId, number });
  const calls = await attachCallsOfNumber(tx, { leadId, number, userId });
  if (calls > 0) {
    await publishEvent(tx, { topic: "call-log", id: 0, audience: "all" });
    // A current call with the number is no longer shown to all users.
    await publishEvent(tx, { topic: "inbound-call", id: 0, audience: "all" });
  }
  return { calls, texts };
}

/**
 * Creates a lead that a user typed, through the same ingestion as every source; a repeated request returns the lead of the first one. Calls
 * and texts of its number without a lead become its own; if other leads have the number too, they stay unchanged. Errors: `invalid`,
 * `phone_invalid`, `lead_exists`, `forbidden`.
 */
export async function createLead(
  context: NewLeadContext,
  { actor, lead }: { actor: AuthSession; lead: NewLead },
): Promise<Lead> {
  const { phone, ...address } = readAddress(lead, context.defaultCountry);
  const { clientRef, salesRepId, isKnownPhoneFine, ...fields } = lead;
  const { userId } = actor;
  const leadId = await context.database.transaction(async (tx) => {
    await lockLeadIngestion(tx);
    const before = clientRef ? await findLeadMadeBy(tx, { ...address, userId, clientRef }) : null;
    if (before !== null) return before;
    const assignTo = await ownerOf(tx, actor, salesRepId);
    const known = await findLeadsByAddress(tx, address);
    refuseKnown(known, isKnownPhoneFine);
    const prepared = prepareLead({ ...fields, ...address, phone }, context.defaultCountry);
    const policy = handPolicy({ assignTo, clientRef, known });
    const { leads } = await ingestLeads(tx, [prepared], { policy, jobs: context.jobs, actor });
    const [made] = leads;
    if (made?.outcome !== "created") throw new Error("a lead by hand was not made");
    const number = known.length > 0 ? null : address.phoneE164;
    const history = number ? await attachHistory(tx, { userId, leadId: made.leadId, number }) : null;
    await recordAudit(tx, {
      userId,
      action: "lead-created",
      subject: `lead:${made.leadId}`,
      data: { assignedTo: assignTo, sharesNumber: known.length > 0, ...history },
    });
    return made.leadId;
  });
  return getLead(context, context.database.db, { leadId, actor });
}
