import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { type Audience, audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit, recordLeadEvents } from "../activity/service.ts";
import { lockLead } from "../leads/service.ts";
import { attachMessagesOfNumber } from "../sms/message-list-repository.ts";
import { findLeadOfNumber } from "../sms/number-repository.ts";
import { guessLanguage } from "../sms/policy.ts";
import { publishMessages } from "../sms/update-message.ts";
import { attachCallsOfNumber } from "../telephony/inbound/repository.ts";
import {
  type ChangedCall,
  type InboxScope,
  listKnownNumbers,
  reopenCalls,
  reopenMessages,
  type Subject,
  settleCalls,
  settleMessages,
} from "./repository.ts";

export interface InboxContext {
  database: Database;
}

/** The scope of a request. Errors: `forbidden` if a consultant requests everyone's entries. */
export function scopeOf(actor: AuthSession, of: string | undefined): InboxScope {
  const isAdmin = actor.role === "admin";
  if (of !== "everyone") return { userId: actor.userId, isAdmin };
  if (!isAdmin) throw new AppError("forbidden");
  return "everyone";
}

function parseSubject(entryId: string): Subject {
  const [, kind, value = ""] = /^(lead|number|call):(.*)$/.exec(entryId) ?? [];
  if (kind === "lead") return { leadId: Number(value) };
  return kind === "call" ? { callId: Number(value) } : { number: value };
}

/** Ids of the changed SMS and calls. */
interface Marked {
  texts: number[];
  calls: number[];
}

/** Records who settled or reopened an entry, and publishes the change to the people concerned. */
async function recordMarks(
  tx: Tx,
  marks: {
    actor: AuthSession;
    subject: Subject;
    /** The lead's consultant; undefined for an unknown number. */
    owner: number | null | undefined;
    texts: number[];
    calls: ChangedCall[];
    done: boolean;
  },
): Promise<Marked> {
  const { actor, subject, owner, texts, calls, done } = marks;
  const { userId } = actor;
  const answer = { texts, calls: calls.map(({ id }) => id) };
  if (texts.length + calls.length === 0) return answer;
  const leadId = "leadId" in subject ? subject.leadId : null;
  if (leadId !== null) {
    const kind = done ? "missed-call-done" : "missed-call-reopened";
    await recordLeadEvents(
      tx,
      calls.map(({ id, logId }) => ({
        leadId,
        userId,
        kind,
        data: { inboundCallId: id, callLogId: logId },
      })),
    );
  }
  // A user's reading of their own SMS needs no audit entry. Everything else does: missed calls, unknown numbers that everyone sees, a
  // colleague's leads.
  if (calls.length > 0 || owner !== userId) {
    const of =
      texts.length > 0 ? `message:${Math.max(...texts)}` : `inbound-call:${Math.max(...answer.calls)}`;
    await recordAudit(tx, {
      userId,
      action: done ? "inbox-done" : "inbox-reopened",
      subject: leadId === null ? of : `lead:${leadId}`,
      data: { texts: texts.length, calls: calls.length },
    });
  }
  await publishTexts(tx, leadId, userId);
  const audience = owner === undefined ? "all" : audienceOf(owner, userId);
  await publishCalls(tx, calls, audience);
  return answer;
}

async function publishTexts(tx: Tx, leadId: number | null, userId: number | null): Promise<void> {
  if (leadId !== null) await publishMessages(tx, leadId, userId);
  else await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
}

async function publishCalls(tx: Tx, calls: ChangedCall[], audience: Audience): Promise<void> {
  for (const { logId } of calls)
    if (logId !== null) await publishEvent(tx, { topic: "call-log", id: logId, audience });
}

/** Returns the subject of an entry, with its lead locked. Errors: `not_found`, `not_your_lead`. */
async function lockSubject(tx: Tx, actor: AuthSession, entryId: string) {
  const subject = parseSubject(entryId);
  if (!("leadId" in subject)) return { subject, owner: undefined };
  return { subject, owner: (await lockLead(tx, actor, subject.leadId)).assignedTo };
}

/**
 * Removes an entry from the inbox, up to the SMS and the call that the person saw; later ones keep waiting. A repeat changes nothing.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function settleEntry(
  { database }: InboxContext,
  input: { actor: AuthSession; entryId: string; lastTextId: number | null; lastCallId: number | null },
): Promise<Marked> {
  const { actor, entryId, lastTextId, lastCallId } = input;
  return database.transaction(async (tx) => {
    const { subject, owner } = await lockSubject(tx, actor, entryId);
    const texts = lastTextId === null ? [] : await settleMessages(tx, subject, lastTextId);
    const calls =
      lastCallId === null ? [] : await settleCalls(tx, subject, { upTo: lastCallId, userId: actor.userId });
    return recordMarks(tx, { actor, subject, owner, texts, calls, done: true });
  });
}

/** Puts SMS and calls of an entry back into the inbox. Errors: `not_found`, `not_your_lead`. */
export async function reopenEntry(
  { database }: InboxContext,
  input: { actor: AuthSession; entryId: string } & Marked,
): Promise<Marked> {
  const { actor, entryId } = input;
  return database.transaction(async (tx) => {
    const { subject, owner } = await lockSubject(tx, actor, entryId);
    const texts = await reopenMessages(tx, subject, input.texts);
    const calls = await reopenCalls(tx, subject, input.calls);
    return recordMarks(tx, { actor, subject, owner, texts, calls, done: false });
  });
}

interface Attached {
  texts: number;
  calls: number;
}

/**
 * Attaches all SMS and calls of an unknown number to a lead. The transaction has locked the lead or found it by its number. `userId` is
 * null for the portal.
 */
async function attach(
  tx: Tx,
  input: { number: string; leadId: number; ownerId: number | null; userId: number | null },
): Promise<Attached> {
  const { leadId, ownerId, userId } = input;
  const texts = await attachMessagesOfNumber(tx, input);
  const calls = await attachCallsOfNumber(tx, input);
  const attached = { texts, calls };
  if (texts + calls === 0) return attached;
  if (texts > 0) await guessLanguage(tx, leadId);
  await recordAudit(tx, {
    userId,
    action: "texts-attached",
    subject: `lead:${leadId}`,
    data: { ...attached },
  });
  await publishTexts(tx, leadId, userId);
  await publishTexts(tx, null, userId);
  if (calls > 0) {
    await publishEvent(tx, { topic: "call-log", id: 0, audience: "all" });
    // Other consultants no longer see a call in progress.
    await publishEvent(tx, { topic: "inbound-call", id: 0, audience: "all" });
  }
  await publishEvent(tx, { topic: "lead", id: leadId, audience: audienceOf(ownerId, userId) });
  return attached;
}

/** Attaches all SMS and calls of an unknown number to a lead of the actor. Errors: `not_found`, `not_your_lead`. */
export async function attachNumber(
  { database }: InboxContext,
  { actor, number, leadId }: { actor: AuthSession; number: string; leadId: number },
): Promise<Attached> {
  return database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    return attach(tx, { number, leadId, ownerId: lead.assignedTo, userId: actor.userId });
  });
}

const batch = 50;

/** Attaches waiting SMS and calls of unknown numbers to the leads that now have these numbers, however the leads were created. */
export async function attachKnownNumbers({ database }: InboxContext): Promise<void> {
  for (const number of await listKnownNumbers(database.db, batch)) {
    await database.transaction(async (tx) => {
      const lead = await findLeadOfNumber(tx, number);
      if (lead) await attach(tx, { number, leadId: lead.id, ownerId: lead.assignedTo, userId: null });
    });
  }
}

const knownNumbersMs = 10_000;

/** Starts the scheduled task that attaches waiting calls and SMS of unknown numbers that have become leads' numbers. */
export function startInboxJobs(context: InboxContext, scheduler: Scheduler): void {
  scheduler.every(knownNumbersMs, () => attachKnownNumbers(context));
}
