import { type PutOffReason, type TodayKind, todayKinds } from "@portal/contract/entities/today";
import type { NextTry } from "./next-try.ts";
import { type Reachability, reachableFor } from "./reachability.ts";

/** Why a call is not allowed at an instant, and when it will be; null if waiting does not help. */
export interface Refusal {
  reason: PutOffReason;
  until: Date | null;
}

/** Data of a lead that may be listed on Today. */
export interface TodayFacts {
  leadId: number;
  /** A planned follow-up. With a time it is a promise; without one `at` is the start of its day. */
  followUp: { at: Date; hasTime: boolean } | null;
  /** The first unanswered inbound SMS and the first missed call. */
  textAt: Date | null;
  missedAt: Date | null;
  /** Set for a new lead without a call. */
  arrival: { arrivedAt: Date; assignedAt: Date } | null;
  /** The next try by the retry rules, for a lead that was called. */
  next: NextTry | null;
  /** Set by a person: the lead is tried again from this instant on. */
  retryFrom: Date | null;
  /** The last outbound call, or the last inbound call in which somebody talked. */
  lastContactAt: Date | null;
  /** What the contact policy says about a call at an instant; null if it is allowed. */
  refusalAt: (at: Date) => Refusal | null;
}

export interface TodayReason {
  kind: TodayKind;
  at: Date | null;
  overdue: boolean;
  rule: NextTry["rule"];
  arrival: { at: Date; targetAt: Date | null; overdue: boolean } | null;
}

export interface TodayEntry {
  leadId: number;
  /** Most important first. */
  reasons: TodayReason[];
  /** Why the lead cannot be called now. */
  putOff: Refusal | null;
  /** Listed below the leads that can be handled now. */
  isLater: boolean;
}

export interface TodayQuestion {
  leads: readonly TodayFacts[];
  /** The person whose list it is. The time to a first call does not count while they cannot be reached. */
  owner: Reachability;
  targetMinutes: number;
  now: Date;
  /** The organization's day. */
  dayStart: Date;
  dayEnd: Date;
}

/** A promise becomes overdue after this time. */
const graceMs = 5 * 60_000;

const plain = { overdue: false, rule: null, arrival: null };

/**
 * Returns a person's list for today: first the leads that can be handled now, by kind of reason and then by time; then those that are put
 * off, by when they become possible. A pure function. Each lead is listed once, with all its reasons.
 */
export function orderToday(question: TodayQuestion): TodayEntry[] {
  const entries = question.leads.flatMap((lead) => entryOf(lead, question) ?? []);
  return entries.sort((a, b) => compare(a, b, question.now));
}

/** A lead who wrote or called can be answered by another channel if a call is not allowed. */
function entry(leadId: number, reasons: TodayReason[], putOff: Refusal | null): TodayEntry {
  const kind = reasons[0]?.kind;
  const waitsForAnswer = kind === "text" || kind === "missed_call";
  const isLater =
    putOff !== null && !(waitsForAnswer && (putOff.until === null || putOff.reason === "promised"));
  return { leadId, reasons, putOff, isLater };
}

function entryOf(lead: TodayFacts, question: TodayQuestion): TodayEntry | null {
  const { now } = question;
  const { leadId } = lead;
  const due = dueReasons(lead, question);
  if (due.length === 0) return laterEntry(lead, question);
  const putOff = lead.refusalAt(now);
  if (putOff?.until !== null) return entry(leadId, due, putOff ?? promisedFor(lead, due, question));
  // A lead who may never be called may still wait for an answer or have been promised a call, so a person has to handle it.
  const reasons = due.filter(({ kind }) => kind !== "new_lead" && kind !== "retry");
  return reasons.length > 0 ? entry(leadId, reasons, putOff) : null;
}

/** An inbound SMS can be answered now. The call waits for the promised time, unless the lead also called. */
function promisedFor(lead: TodayFacts, due: TodayReason[], { now }: TodayQuestion): Refusal | null {
  const { at } = openFollowUp(lead) ?? {};
  const isEarly = at !== undefined && at > now && due.every(({ kind }) => kind === "text");
  return isEarly ? { reason: "promised", until: at } : null;
}

/** The planned follow-up, unless there was a contact after it. */
function openFollowUp({ followUp, lastContactAt }: TodayFacts) {
  const isDone = followUp !== null && lastContactAt !== null && lastContactAt >= followUp.at;
  return isDone ? null : followUp;
}

function dueReasons(lead: TodayFacts, question: TodayQuestion): TodayReason[] {
  const { now, dayStart } = question;
  const followUp = openFollowUp(lead);
  const isDue = followUp !== null && followUp.at <= now;
  const reasons: TodayReason[] = [];
  if (isDue) {
    const { at, hasTime } = followUp;
    const overdue = hasTime ? now.getTime() >= at.getTime() + graceMs : at < dayStart;
    reasons.push({ ...plain, kind: hasTime ? "promise" : "follow_up", at, overdue });
  }
  if (lead.textAt) reasons.push({ ...plain, kind: "text", at: lead.textAt });
  if (lead.missedAt) reasons.push({ ...plain, kind: "missed_call", at: lead.missedAt });
  // A planned follow-up takes precedence: before it neither the first call's target nor a rule applies.
  if (followUp === null || isDue) {
    if (lead.arrival) reasons.push(newLead(lead.arrival, question));
    else if (!isDue) reasons.push(...retry(lead));
  }
  return reasons.sort((a, b) => todayKinds.indexOf(a.kind) - todayKinds.indexOf(b.kind));
}

function newLead(
  { arrivedAt, assignedAt }: NonNullable<TodayFacts["arrival"]>,
  { owner, targetMinutes, now }: TodayQuestion,
): TodayReason {
  const isOver = (at: Date | null) => at !== null && at <= now;
  const at = reachableFor(owner, assignedAt, targetMinutes);
  const targetAt = arrivedAt < assignedAt ? reachableFor(owner, arrivedAt, targetMinutes) : at;
  return {
    ...plain,
    kind: "new_lead",
    at,
    overdue: isOver(at),
    arrival: { at: arrivedAt, targetAt, overdue: isOver(targetAt) },
  };
}

/** A lead whose last outcome has no rule is tried again only if a person decided so. */
function retry({ next, retryFrom }: TodayFacts): TodayReason[] {
  if (next?.kind !== "due" || next.since === null) return [];
  if (next.rule === null && next.since.getTime() !== retryFrom?.getTime()) return [];
  return [{ ...plain, kind: "retry", at: next.since, rule: next.rule }];
}

/** An entry for later today: a promised call, or a try by the rules. */
function laterEntry(lead: TodayFacts, { dayEnd }: TodayQuestion): TodayEntry | null {
  const followUp = openFollowUp(lead);
  const { next, leadId } = lead;
  const later = (at: Date, reason: TodayReason, why: PutOffReason): TodayEntry | null => {
    if (at >= dayEnd) return null;
    return entry(leadId, [reason], lead.refusalAt(at) ?? { reason: why, until: at });
  };
  if (followUp) {
    const { at, hasTime } = followUp;
    return hasTime ? later(at, { ...plain, kind: "promise", at }, "promised") : null;
  }
  if (!next || !("until" in next) || next.rule === null) return null;
  const tried = later(
    next.until,
    { ...plain, kind: "retry", at: next.until, rule: next.rule },
    "retry_waiting",
  );
  return tried?.putOff?.until && tried.putOff.until < dayEnd ? tried : null;
}

const rankOf = ({ reasons: [first] }: TodayEntry) =>
  first ? todayKinds.indexOf(first.kind) : todayKinds.length;
const never = Number.POSITIVE_INFINITY;

/**
 * Sort key among entries of the same kind. The longest wait comes first. For new leads: those whose target can still be met, the earliest
 * target first, then the others, newest first.
 */
function placeOf({ reasons }: TodayEntry, now: Date): number {
  const [first] = reasons;
  const at = first?.at?.getTime() ?? never;
  const isMissed = first?.kind === "new_lead" && at <= now.getTime();
  return isMissed ? Number.MAX_SAFE_INTEGER - at : at;
}

function compare(a: TodayEntry, b: TodayEntry, now: Date): number {
  if (a.isLater !== b.isLater) return a.isLater ? 1 : -1;
  const keys = a.isLater
    ? [(one: TodayEntry) => one.putOff?.until?.getTime() ?? never, rankOf]
    : [rankOf, (one: TodayEntry) => placeOf(one, now)];
  for (const key of [...keys, ({ leadId }: TodayEntry) => leadId]) {
    const [left, right] = [key(a), key(b)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
