import type { ContactChannel, ContactRefusal } from "@portal/contract/errors";
import type { FurtherNumber } from "@portal/contract/routes/leads";
import type { Logger } from "pino";
import { phoneTimeZone } from "../../domain/phone.ts";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { AppError, type ErrorExtras } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { recordAudit, recordLeadEvent } from "../activity/service.ts";
import { type ContactDecision, type ContactPolicyRules, decideContact, isInHours } from "./decide-contact.ts";
import {
  areFactsOld,
  findContactFacts,
  findFurtherNumbers,
  findLeadsWithoutZone,
  insertRefusal,
  lockContact,
  type RefusedAttempt,
  writeZones,
} from "./repository.ts";

/** The user, the lead and the channel of a contact. */
export interface ContactRequest {
  leadId: number;
  userId: number;
  channel: ContactChannel;
  /** The number of the lead that is used, if it is not its main one. */
  number?: string | undefined;
  rules: ContactPolicyRules;
  /** An administrator's reason for overriding the contact policy. */
  override?: string | undefined;
  /** 'ask': the facts about the lead must be current; 'unanswered': they could not be refreshed. Absent after a refresh. */
  facts?: FactsRead | undefined;
}

type FactsRead = "ask" | "unanswered";

/** Refreshes a lead from its source, within 2 s; false if the source does not answer. */
export type ReadLeadAgain = (leadId: number) => Promise<boolean>;

/** The facts about the lead are too old: it is refreshed, and the attempt is repeated. */
class OldFactsError extends Error {}

/**
 * After an attempt with the facts 'ask' failed: if only because the contact policy would have allowed it with outdated facts, refreshes
 * the lead and returns the facts with which to repeat it. The first attempt was rolled back. Errors: every other one of the attempt.
 */
export async function refreshOldFacts(
  readLeadAgain: ReadLeadAgain,
  leadId: number,
  error: unknown,
): Promise<FactsRead | undefined> {
  if (!(error instanceof OldFactsError)) throw error;
  return (await readLeadAgain(leadId)) ? undefined : "unanswered";
}

/** If the lead could not be refreshed, this is recorded on its timeline. */
async function checkFacts(tx: Tx, { leadId, userId, channel, facts }: ContactRequest): Promise<void> {
  if (facts === undefined || !(await areFactsOld(tx, leadId))) return;
  if (facts === "ask") throw new OldFactsError();
  await recordLeadEvent(tx, { leadId, userId, kind: "crm-unanswered", data: { field: channel } });
}

/**
 * Decides whether this lead may be contacted now. Every call and every SMS uses this function, inside the transaction that writes its row:
 * the lead and the user stay locked until then, so that of two requests at a cap one is refused. A used override is recorded in the audit
 * log and on the timeline. `override` comes from an administrator: `checkOverride` checks the role.
 */
export async function mayContact(tx: Tx, request: ContactRequest): Promise<ContactDecision> {
  const { leadId, userId, channel, number, rules, override } = request;
  const isText = channel === "text";
  await lockContact(tx, request);
  // A call is asked for the number that rings.
  const facts = await findContactFacts(tx, { ...request, number: isText ? undefined : number });
  if (!facts) throw new AppError("not_found", "This lead does not exist.");
  // For a text to another number the rules for the lead's main number apply as well.
  const leads = isText && number ? [facts, { ...facts, phone: number, phoneE164: number }] : [facts];
  const decide = (overridden: boolean): ContactDecision =>
    leads
      .map((lead) => decideContact({ lead, rep: facts, channel, now: facts.now, rules, overridden }))
      .find(({ allowed }) => !allowed) ?? { allowed: true };
  const answer = decide(false);
  if (answer.allowed) await checkFacts(tx, request);
  if (answer.allowed || !override) return answer;

  const overridden = decide(true);
  if (!overridden.allowed) return overridden;
  await checkFacts(tx, request);
  const data = { channel, refusal: answer.reason, reason: override };
  await recordAudit(tx, { userId, action: "contact-override", subject: `lead:${leadId}`, data });
  await recordLeadEvent(tx, { leadId, userId, kind: "contact-override", data });
  return overridden;
}

/** Whether it is still within the lead's hours: checked again if a call waited after `mayContact` allowed it. */
export async function isStillInHours(
  tx: Tx,
  { rules, ...request }: Pick<ContactRequest, "leadId" | "userId" | "number" | "rules">,
): Promise<boolean> {
  const facts = await findContactFacts(tx, { ...request, channel: "call" });
  return facts !== undefined && isInHours({ lead: facts, now: facts.now, rules });
}

/** The further numbers of a lead after a merge, each with why it may not be called now, and from when it may. */
export async function listFurtherNumbers(
  db: Db,
  { leadId, userId, rules }: { leadId: number; userId: number; rules: ContactPolicyRules },
): Promise<FurtherNumber[]> {
  const numbers: FurtherNumber[] = [];
  for (const phone of await findFurtherNumbers(db, leadId)) {
    const facts = await findContactFacts(db, { leadId, userId, channel: "call", number: phone });
    if (!facts) continue;
    const answer = decideContact({ lead: facts, channel: "call", now: facts.now, rules });
    numbers.push({
      phone,
      callRefusal: answer.allowed ? null : answer.reason,
      callAllowedAt: answer.allowed ? null : (answer.nextAllowedAt?.toISOString() ?? null),
    });
  }
  return numbers;
}

/** The reason of an override, or undefined if none was given. Errors: `forbidden` for anybody except an administrator. */
export function checkOverride(actor: AuthSession, reason: string | undefined): string | undefined {
  const given = reason?.trim();
  if (!given) return undefined;
  if (actor.role !== "admin") {
    throw new AppError("forbidden", "Only an administrator may contact a lead against the rules.");
  }
  return given;
}

const noConsent = "There is no record that this lead agreed to be contacted.";

const words: Record<ContactRefusal, string | { call: string; text: string; voicemail_drop?: string }> = {
  no_phone: "El lead no tiene número de teléfono",
  invalid_phone: {
    call: "This lead's number is not one that can be called. Correct it first.",
    text: "This lead's number is not one that can get texts. Correct it first.",
  },
  country_not_allowed: {
    call: "Calls to this country are not allowed.",
    text: "Texts to this country are not allowed.",
  },
  premium_number: "This is a premium number and is not contacted.",
  opted_out: {
    call: "This lead must not be called: they asked for it.",
    text: "This lead gets no texts: they asked for it.",
  },
  deleted: {
    call: "This lead was deleted in GoHighLevel and is not called.",
    text: "This lead was deleted in GoHighLevel and gets no texts.",
  },
  number_fault: "An outcome says that this number is wrong or out of service.",
  no_consent: {
    call: noConsent,
    text: noConsent,
    voicemail_drop: "A recorded message needs a record that this lead agreed to be contacted.",
  },
  outside_hours: "It is outside the lead's hours.",
  attempt_cap: {
    call: "This lead has been called often enough for now.",
    text: "This lead has got enough texts for now.",
  },
  rep_cap: {
    call: "You have reached the limit of calls.",
    text: "You have reached the limit of texts.",
  },
  rep_on_call: "You are on a call already. End it before you start another.",
  lead_on_call: "Another consultant is on the line with this lead.",
};

/**
 * Throws the error for the user: the reason as text, and the time at which contact will be allowed, as an instant that the browser formats.
 * Errors: `lead_without_phone`, `rep_on_call`, `lead_on_call`, `contact_refused`.
 */
export function refuseContact(
  answer: { reason: ContactRefusal; nextAllowedAt?: Date },
  channel: ContactChannel,
): never {
  const { reason, nextAllowedAt } = answer;
  const said = words[reason];
  const message = typeof said === "string" ? said : (said[channel] ?? said.call);
  if (reason === "rep_on_call" || reason === "lead_on_call")
    throw new ContactRefused(reason, message, { reason });
  if (reason === "no_phone") throw new ContactRefused("lead_without_phone", message, { reason });
  throw new ContactRefused("contact_refused", message, {
    reason,
    ...(nextAllowedAt && { nextAllowedAt: nextAllowedAt.toISOString() }),
  });
}

/** Thrown if the contact policy refuses an attempt. */
class ContactRefused extends AppError {
  readonly reason: ContactRefusal;

  constructor(
    code: "contact_refused" | "lead_without_phone" | "rep_on_call" | "lead_on_call",
    message: string,
    { reason, ...extras }: ErrorExtras & { reason: ContactRefusal },
  ) {
    super(code, message, code === "contact_refused" ? { reason, ...extras } : extras);
    this.reason = reason;
  }
}

/**
 * After an attempt to contact a lead failed with `error` and was rolled back: records it if the contact policy refused it, and throws the
 * error again. A failure to record it is logged and does not replace the refusal.
 */
export async function recordRefusal(
  { database, log }: { database: Database; log: Logger },
  attempt: Omit<RefusedAttempt, "reason">,
  error: unknown,
): Promise<never> {
  if (error instanceof ContactRefused) {
    const { reason } = error;
    const kept = database.transaction((tx) => insertRefusal(tx, { ...attempt, reason }));
    await kept.catch((failure: Error) => log.error({ err: failure, reason }, "refusal not recorded"));
  }
  throw error;
}

const batch = 1_000;
const everyMs = 1_000;

/** Writes the time zones of the next batch of leads without one. Returns the id after which to continue, or null after the last batch. */
export async function fillZones(db: Db, afterId: number): Promise<number | null> {
  const leads = await findLeadsWithoutZone(db, { afterId, limit: batch });
  const known = leads.flatMap((lead) => {
    const timeZone = phoneTimeZone(lead.phoneE164);
    return timeZone ? [{ ...lead, timeZone }] : [];
  });
  if (known.length > 0) await writeZones(db, known);
  return leads.length === batch ? (leads.at(-1)?.id ?? null) : null;
}

/** Processes all leads once after the start, one batch at a time. */
export function startZoneJobs(db: Db, scheduler: Scheduler): void {
  let afterId: number | null = 0;
  scheduler.every(everyMs, async () => {
    if (afterId !== null) afterId = await fillZones(db, afterId);
  });
}
