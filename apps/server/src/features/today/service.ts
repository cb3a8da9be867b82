import type { TodayEntry as ContractEntry } from "@portal/contract/entities/today";
import type { RouteResponse } from "@portal/contract/route";
import type { countToday as countContract, listToday as listContract } from "@portal/contract/routes/today";
import { startOfDay, startOfNextDay } from "../../domain/contact-window.ts";
import { orderToday, type Refusal, type TodayEntry, type TodayFacts } from "../../domain/today.ts";
import type { Db } from "../../platform/db/client.ts";
import { findReachability } from "../availability/repository.ts";
import { type ContactPolicyRules, decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import { presentLead } from "../leads/present.ts";
import { followUpOf, nextTryOf, type Rules } from "../retry-rules/policy.ts";
import { retryRulesOf } from "../retry-rules/repository.ts";
import { listTodayRows, readFirstCallMinutes, type TodayRow } from "./repository.ts";

export interface TodayContext {
  contactPolicy: ContactPolicyRules;
  orgTimeZone: string;
}

interface Today {
  entries: TodayEntry[];
  rows: Map<number, TodayRow>;
  more: RouteResponse<typeof listContract>["more"];
  firstCallMinutes: number;
  now: Date;
}

/** Why a lead may not be called at an instant. A call in progress is ignored, because it is no reason for a later instant. */
function refusalAt(lead: LeadFacts, contact: ContactPolicyRules, at: Date): Refusal | null {
  const answer = decideContact({
    lead: { ...lead, leadOnCall: false },
    channel: "call",
    now: at,
    rules: contact,
  });
  return answer.allowed ? null : { reason: answer.reason, until: answer.nextAllowedAt ?? null };
}

function factsOf(row: TodayRow, rules: Rules, now: Date): TodayFacts {
  const { plannedAt, talkedAt, retryFrom, kinds } = row;
  const triedAt = row.tries[0]?.[0] ?? 0;
  const contactAt = Math.max(triedAt, talkedAt?.getTime() ?? 0);
  // A call before the follow-up was planned does not fulfil it.
  const isBefore = plannedAt !== null && contactAt < plannedAt.getTime();
  return {
    leadId: row.id,
    followUp: followUpOf(row, rules.contact.orgTimeZone),
    textAt: kinds.includes("text") ? row.textAt : null,
    missedAt: row.missedAt,
    arrival: kinds.includes("new_lead")
      ? { arrivedAt: row.createdAt, assignedAt: row.assignedAt ?? row.createdAt }
      : null,
    next: kinds.includes("retry") ? nextTryOf({ lead: row, rules, now }) : null,
    retryFrom,
    lastContactAt: contactAt > 0 && !isBefore ? new Date(contactAt) : null,
    refusalAt: (at) => refusalAt(row, rules.contact, at),
  };
}

/** Reads a consultant's list for today, in order. */
async function readToday(context: TodayContext, db: Db, userId: number): Promise<Today> {
  const { contactPolicy: contact, orgTimeZone } = context;
  const now = new Date();
  const dayEnd = startOfNextDay(now, orgTimeZone);
  const { rows, more } = await listTodayRows(db, { userId, dayEnd });
  const rules = { retry: await retryRulesOf(db), contact };
  const firstCallMinutes = await readFirstCallMinutes(db);
  const entries = orderToday({
    leads: rows.map((row) => factsOf(row, rules, now)),
    owner: await findReachability(db, userId),
    targetMinutes: firstCallMinutes,
    now,
    dayStart: startOfDay(now, orgTimeZone),
    dayEnd,
  });
  return { entries, rows: new Map(rows.map((row) => [row.id, row])), more, firstCallMinutes, now };
}

const isNow = ({ isLater }: TodayEntry) => !isLater;

function countsOf(entries: readonly TodayEntry[]): RouteResponse<typeof countContract> {
  const now = entries.filter(isNow);
  return {
    now: now.length,
    overdue: now.filter(({ reasons }) => reasons.some(({ overdue }) => overdue)).length,
    putOff: entries.length - now.length,
  };
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

function present(
  { reasons, putOff, isLater }: TodayEntry,
  row: TodayRow,
  contact: ContactPolicyRules,
): ContractEntry {
  return {
    lead: presentLead(row, contact),
    reasons: reasons.map(({ kind, at, overdue, rule, arrival }) => ({
      kind,
      at: iso(at),
      overdue,
      rule,
      arrival: arrival && {
        at: arrival.at.toISOString(),
        targetAt: iso(arrival.targetAt),
        overdue: arrival.overdue,
      },
    })),
    putOff: putOff && { reason: putOff.reason, until: iso(putOff.until) },
    isLater,
  };
}

/** Maximum number of returned leads: of those that can be handled now, and of those that are put off. */
const shownMost = { now: 200, putOff: 100 };

export async function listToday(
  context: TodayContext,
  db: Db,
  userId: number,
): Promise<RouteResponse<typeof listContract>> {
  const { entries, rows, now, ...answer } = await readToday(context, db, userId);
  const shown = [
    ...entries.filter(isNow).slice(0, shownMost.now),
    ...entries.filter((entry) => !isNow(entry)).slice(0, shownMost.putOff),
  ];
  return {
    ...answer,
    entries: shown.flatMap((entry) => {
      const row = rows.get(entry.leadId);
      return row ? [present(entry, row, context.contactPolicy)] : [];
    }),
    counts: countsOf(entries),
    now: now.toISOString(),
  };
}

export async function countToday(
  context: TodayContext,
  db: Db,
  userId: number,
): Promise<RouteResponse<typeof countContract>> {
  const { entries } = await readToday(context, db, userId);
  return countsOf(entries);
}

/**
 * Returns the leads to call now, in order, for the dialer. `since` is the newest time of their reasons; a lead that the session has called
 * before returns only for a later one. A new lead has none.
 */
export async function listDueToday(
  context: TodayContext,
  db: Db,
  userId: number,
): Promise<{ leadId: number; since: Date | null }[]> {
  const { entries } = await readToday(context, db, userId);
  return entries
    .filter(({ putOff }) => putOff === null)
    .map(({ leadId, reasons }) => {
      const times = reasons.flatMap(({ kind, at }) => (kind === "new_lead" || !at ? [] : [at.getTime()]));
      return { leadId, since: times.length > 0 ? new Date(Math.max(...times)) : null };
    });
}
