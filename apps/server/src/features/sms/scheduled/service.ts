import type { HoldReason, ScheduledSms } from "@portal/contract/entities/scheduled-sms";
import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { limits } from "@portal/contract/limits";
import { DateTime } from "luxon";
import { type Db, type Tx, violatedConstraint } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { decideContact, type LeadFacts } from "../../contact-policy/decide-contact.ts";
import { findContactFacts } from "../../contact-policy/repository.ts";
import { refuseContact } from "../../contact-policy/service.ts";
import { getUser } from "../../identity/users/service.ts";
import { scopeOf } from "../../leads/policy.ts";
import { lockLead } from "../../leads/service.ts";
import { findByRef } from "../message-repository.ts";
import { decideFate } from "../policy.ts";
import { checkMessage, sendSms } from "../send-message.ts";
import { checkMaySee, requireSmsProvider, settleAnswered } from "../service.ts";
import type { SmsContext } from "../types.ts";
import { publishMessages } from "../update-message.ts";
import {
  cancelScheduled,
  claimScheduled,
  countWaiting,
  findMeanwhile,
  findScheduled,
  findScheduledByRef,
  holdScheduled,
  insertScheduled,
  type ListedScheduled,
  listScheduled,
  releaseScheduled,
  type ScheduledRow,
  type Settled,
  settleScheduled,
} from "./repository.ts";

const presentScheduled = (row: ListedScheduled): ScheduledSms => ({
  id: row.id,
  leadId: row.leadId,
  leadName: row.leadName,
  message: row.body,
  state: row.state,
  reason: row.reason,
  sendAt: row.sendAt.toISOString(),
  timeZone: row.timeZone,
  writerName: row.writerName,
});

/** A browser's clock may be behind by this much. */
const toleranceMs = 60_000;

/**
 * The instant of a local day and time. A time skipped by daylight saving is moved after the gap; of a repeated one the earlier is taken.
 * Errors: `invalid` (past, or too far ahead).
 */
export function decideTime({ day, time }: { day: string; time: string }, zone: string, now: Date): Date {
  const noon = DateTime.fromISO(`${day}T12:00`, { zone }).toJSDate();
  const at = followUpInstantOf(noon, { time, zone });
  if (at.getTime() < now.getTime() - toleranceMs)
    throw new AppError("invalid", "This time is over on the lead's clock. Choose a later one.");
  if (at.getTime() > now.getTime() + limits.scheduledSmsDays * 86_400_000)
    throw new AppError("invalid", `A text goes out ${limits.scheduledSmsDays} days ahead at most.`);
  return at;
}

/** The zone for scheduling an SMS: the lead's (by number or CRM contact; the first of several), else the organization's. */
const zoneOf = (facts: LeadFacts, { contactPolicy }: SmsContext): string =>
  facts.timeZone?.split("&")[0] ?? contactPolicy.orgTimeZone;

async function factsOf(db: Db, leadId: number, userId: number) {
  const facts = await findContactFacts(db, { leadId, userId, channel: "text" });
  if (!facts) throw new AppError("not_found", "This lead does not exist.");
  return facts;
}

/** Scheduled SMS of one lead, and the zone for new ones. Errors: `not_found`, `not_your_lead`. */
export async function listOfLead(
  context: SmsContext,
  { actor, leadId }: { actor: AuthSession; leadId: number },
): Promise<{ timeZone: string; texts: ScheduledSms[] }> {
  const { db } = context.database;
  await checkMaySee(db, actor, leadId);
  const facts = await factsOf(db, leadId, actor.userId);
  const rows = await listScheduled(db, { scope: "everyone", leadId, limit: limits.scheduledSmsListed });
  return { timeZone: zoneOf(facts, context), texts: rows.map(presentScheduled) };
}

export async function listAll(context: SmsContext, actor: AuthSession): Promise<ScheduledSms[]> {
  const rows = await listScheduled(context.database.db, {
    scope: scopeOf(actor),
    limit: limits.scheduledSmsListed,
  });
  return rows.map(presentScheduled);
}

interface ScheduleRequest {
  actor: AuthSession;
  leadId: number;
  message: string;
  /** In the lead's zone. */
  day: string;
  time: string;
  clientRef: string;
  templateVersionId?: number | undefined;
}

/** Checks the contact policy at the planned time; current limits and calls do not matter then. */
function checkTime(context: SmsContext, facts: LeadFacts, now: Date): void {
  const lead = { ...facts, leadOnCall: false, lastCalls: null, numberCalls: null, lastTextSlot: null };
  const answer = decideContact({ lead, channel: "text", now, rules: context.contactPolicy });
  if (!answer.allowed) refuseContact(answer, "text");
}

async function schedule(context: SmsContext, request: ScheduleRequest, body: string): Promise<number> {
  const { actor, leadId, clientRef, templateVersionId = null } = request;
  const { userId } = actor;
  return context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const known = await findScheduledByRef(tx, clientRef);
    if (known?.userId === userId && known.leadId === leadId) return known.id;
    if (known)
      throw new AppError("conflict", "This request was used for another text already. Send it again.");
    const facts = await factsOf(tx, leadId, userId);
    const timeZone = zoneOf(facts, context);
    const sendAt = decideTime(request, timeZone, facts.now);
    checkTime(context, facts, sendAt);
    if ((await countWaiting(tx, leadId)) >= limits.scheduledSmsPerLead)
      throw new AppError("invalid", `${limits.scheduledSmsPerLead} texts wait for this lead already.`);
    const ownerId = lead.assignedTo;
    const text = { leadId, userId, ownerId, body, templateVersionId, sendAt, timeZone, clientRef };
    const id = await insertScheduled(tx, text);
    const data = { scheduledId: id, sendAt: sendAt.toISOString() };
    await recordAudit(tx, { userId, action: "text-scheduled", subject: `lead:${leadId}`, data });
    await publishMessages(tx, leadId, userId);
    return id;
  });
}

async function show(context: SmsContext, id: number): Promise<ScheduledSms> {
  const row = await findScheduled(context.database.db, id);
  if (!row) throw new AppError("not_found", gone);
  return presentScheduled(row);
}

/** Schedules an SMS; a repeated request does it once. Errors: see the contract's `scheduleSms`. */
export async function scheduleSms(context: SmsContext, request: ScheduleRequest): Promise<ScheduledSms> {
  requireSmsProvider(context);
  const body = checkMessage(request.message);
  try {
    return await show(context, await schedule(context, request, body));
  } catch (error) {
    // Two concurrent requests used one reference for different leads; the second finds the first one's row.
    if (violatedConstraint(error) !== "scheduled_sms_client_ref_unique") throw error;
    return show(context, await schedule(context, request, body));
  }
}

const gone = "This text does not wait any more.";

/** Changes a waiting or held SMS. The lead is locked first, in the same order as when sending. */
async function change(
  context: SmsContext,
  { actor, id }: { actor: AuthSession; id: number },
  apply: (tx: Tx, row: ScheduledRow, lead: { assignedTo: number | null }) => Promise<void>,
): Promise<ScheduledSms> {
  const found = await findScheduled(context.database.db, id);
  if (!found) throw new AppError("not_found", gone);
  await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, found.leadId);
    const row = await holdScheduled(tx, id);
    if (row?.state !== "waiting" && row?.state !== "held") throw new AppError("conflict", gone);
    await apply(tx, row, lead);
    await publishMessages(tx, row.leadId, row.userId, actor.userId);
  });
  return show(context, id);
}

/** Cancels a scheduled SMS. Errors: `not_found`, `not_your_lead`, `conflict`. */
export function cancelSms(
  context: SmsContext,
  request: { actor: AuthSession; id: number },
): Promise<ScheduledSms> {
  return change(context, request, async (tx, { id, leadId }) => {
    await cancelScheduled(tx, id);
    const { userId } = request.actor;
    const data = { scheduledId: id };
    await recordAudit(tx, { userId, action: "text-schedule-canceled", subject: `lead:${leadId}`, data });
  });
}

/** Sends a held SMS at once. Errors: `not_found`, `not_your_lead`, `conflict`. */
export function releaseSms(
  context: SmsContext,
  request: { actor: AuthSession; id: number },
): Promise<ScheduledSms> {
  return change(context, request, async (tx, { id, leadId }, lead) => {
    const { userId } = request.actor;
    await releaseScheduled(tx, { id, ownerId: lead.assignedTo, userId });
    const data = { scheduledId: id };
    await recordAudit(tx, { userId, action: "text-schedule-released", subject: `lead:${leadId}`, data });
  });
}

/** Aborts sending an SMS that is to be held back. */
class HeldBack extends Error {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Checked while the lead is locked, so that nothing can happen between the check and the SMS. */
async function checkMeanwhile(tx: Tx, row: ScheduledRow, lead: { assignedTo: number | null }): Promise<void> {
  if (lead.assignedTo !== row.ownerId) throw new HeldBack("changed_hands");
  const reason = await findMeanwhile(tx, row);
  if (reason) throw new HeldBack(reason);
}

async function send({ sms, timings }: ScheduledContext, row: ScheduledRow): Promise<Settled> {
  const { db } = sms.database;
  const { leadId, textRef, sendAt } = row;
  // Requested already by a worker that died afterwards.
  const earlier = await findByRef(db, textRef);
  if (earlier) return earlier.status === "failed" ? { state: "held", reason: "not_sent" } : { state: "sent" };
  if (Date.now() - sendAt.getTime() > timings.lateMs) return { state: "held", reason: "late" };
  const user = await getUser(db, row.ownerId ?? row.userId);
  if (!user || user.disabledAt !== null) return { state: "held", reason: "account_closed" };
  const { id: userId, role, name, email } = user;
  try {
    const sent = await sendSms(sms, {
      actor: { sessionId: 0, userId, role, name, email },
      leadId,
      message: row.body,
      clientRef: textRef,
      templateVersionId: row.templateVersionId,
      check: (tx, lead) => checkMeanwhile(tx, row, lead),
    });
    if (sent.status === "failed") return { state: "held", reason: "not_sent" };
    await settleAnswered(sms, { leadId, sent });
    return { state: "sent" };
  } catch (error) {
    if (error instanceof HeldBack) return { state: "held", reason: error.reason };
    if (!(error instanceof AppError)) throw error;
    const fate = decideFate(error, { since: sendAt, againMs: timings.againMs });
    if ("waitMs" in fate) return { state: "waiting", ...fate };
    return { state: "held", reason: fate.leftOut === "not_yours" ? "changed_hands" : fate.leftOut };
  }
}

/** Sends due SMS one after the other. Any process may call it; an SMS is claimed by one at a time. */
export async function sendDueSms(context: ScheduledContext): Promise<void> {
  const { database, log } = context.sms;
  for (;;) {
    const row = await claimScheduled(database.db);
    if (!row) return;
    try {
      await settleScheduled(database.db, row.id, await send(context, row));
      await database.transaction((tx) => publishMessages(tx, row.leadId, row.userId));
    } catch (err) {
      // It is due again in a minute; the others are sent now.
      log.error({ err, scheduledTextId: row.id }, "scheduled text not worked");
    }
  }
}

/** Delays of scheduled SMS, in milliseconds. */
interface ScheduledTimings {
  /** An SMS that is late by more than this is held back, as its content may be outdated. */
  lateMs: number;
  /** Delay of the next attempt while the provider cannot be reached. */
  againMs: number;
}

export const scheduledTimings: ScheduledTimings = { lateMs: 2 * 3_600_000, againMs: 30_000 };

export type ScheduledContext = { sms: SmsContext; timings: ScheduledTimings };
