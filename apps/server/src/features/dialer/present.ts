import { type Call, type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { DialerCaller, DialerSession, DialerSkipReason } from "@portal/contract/entities/dialer";
import type { Lead } from "@portal/contract/entities/lead";
import type { Line } from "@portal/contract/entities/line";
import { databaseNow } from "../../platform/db/clock.ts";
import type { LineRow } from "../telephony/outbound/line-repository.ts";
import type { Caller } from "./candidate-repository.ts";
import type { Failure, ItemCounts, ListedLead } from "./item-repository.ts";
import type { DialerRow, LogOfCall } from "./session-repository.ts";

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

function stepOf(row: DialerRow, call: Call | null, line: LineRow | null): DialerSession["step"] {
  if (row.status === "active" && row.phase === "waiting" && isRung(line)) return "ringing_you";
  if (row.phase !== "calling") return row.phase;
  if (call?.state === "in_progress") return "talking";
  // An ended call that the session still waits for lacks the callback that says whether the lead's phone rang.
  return call?.state === "ringing_lead" || call?.state === "ended" ? "ringing_lead" : "ringing_you";
}

/** Whether the consultant's phone rings or waits for 1. */
const isRung = (line: LineRow | null) => line !== null && line.state !== "open" && line.state !== "ended";

const presentLine = (line: LineRow): Line => ({
  id: line.id,
  state: line.state,
  officeLine: line.repLine === "office" ? line.repNumber : null,
  startedAt: line.startedAt.toISOString(),
  connectedAt: iso(line.connectedAt),
  endedAt: iso(line.endedAt),
  endReason: line.state === "ended" ? line.endReason : null,
  failure: line.failure,
});

const isOutcome = (value: string | null | undefined): value is CallOutcome =>
  (callOutcomes as readonly string[]).includes(value ?? "");

export const presentListed = (lead: ListedLead, allowedAt: Date | null) => ({
  leadId: lead.leadId,
  name: lead.name,
  company: lead.company,
  allowedAt: iso(allowedAt),
  attempts: lead.attempts,
  lastAttemptAt: iso(lead.lastAttemptAt),
  lastAttemptOutcome: lead.lastAttemptOutcome,
});

/** Maximum number of leads shown in each group. */
export const shownLeads = 200;

/** Skipped leads by reason, largest group first. `allowedAt` is the time from which leads skipped for a temporary reason may be called. */
export function presentSkipped(
  items: (ListedLead & { reason: DialerSkipReason | null })[],
  allowedAt: ReadonlyMap<number, Date>,
) {
  const groups = new Map<DialerSkipReason, ListedLead[]>();
  for (const { reason, ...lead } of items)
    if (reason) groups.set(reason, [...(groups.get(reason) ?? []), lead]);
  return [...groups]
    .map(([reason, leads]) => ({
      reason,
      count: leads.length,
      leads: leads
        .slice(0, shownLeads)
        .map((lead) => presentListed(lead, allowedAt.get(lead.leadId) ?? null)),
    }))
    .sort((a, b) => b.count - a.count);
}

function stateOf({ stage, result }: Caller): DialerCaller["state"] {
  if (stage === "ended") return result === "voicemail" ? "left_message" : "missed";
  return stage === "voicemail" ? "at_voicemail" : "ringing";
}

/** Presents a session. */
export function presentSession(input: {
  row: DialerRow;
  /** Whether the current lead has had a call in this session. */
  dialled: boolean;
  lead: Lead | null;
  call: Call | null;
  line: LineRow | null;
  log: LogOfCall | null;
  callers: Caller[];
  /** The current lead, or the one after the current call. */
  nextLeadId: number | null;
  counts: ItemCounts;
  lastFailure: Failure | null;
  passedOver: Parameters<typeof presentSkipped>[0];
  allowedAt: ReadonlyMap<number, Date>;
}): DialerSession {
  const {
    row,
    dialled,
    lead,
    call,
    line,
    log,
    callers,
    nextLeadId,
    counts,
    lastFailure,
    passedOver,
    allowedAt,
  } = input;
  const now = new Date(databaseNow());
  const typing = row.typingUntil && row.typingUntil > now ? row.typingUntil : null;
  return {
    id: row.id,
    status: row.status,
    phase: row.phase,
    step: stepOf(row, call, line),
    position: row.position,
    total: row.total,
    order: row.order,
    source: row.source,
    delaySeconds: row.delaySeconds,
    lineMode: row.lineMode,
    brief: row.brief,
    leaveMessage: row.leaveMessage,
    line: line && presentLine(line),
    autoDial: row.autoDial,
    pauseReason: row.pauseReason,
    dueAt: iso(row.dueAt),
    again: dialled && (row.phase === "countdown" || row.phase === "waiting"),
    typingUntil: iso(typing),
    lead,
    callers: callers.map((caller) => ({
      leadId: caller.leadId,
      name: caller.name,
      calledAt: caller.calledAt.toISOString(),
      state: stateOf(caller),
      isNext: caller.leadId === nextLeadId,
    })),
    passedOver: presentSkipped(passedOver, allowedAt),
    skipping: row.skipping && row.phase === "calling",
    call,
    suggestedOutcome: isOutcome(log?.outcome) ? log.outcome : null,
    counts: {
      dialled: counts.dialled,
      reached: counts.reached,
      skipped: counts.skipped,
      failed: counts.failed,
    },
    lastFailure: lastFailure && {
      position: lastFailure.position,
      leadName: lastFailure.leadName,
      message: lastFailure.message,
      at: lastFailure.at.toISOString(),
    },
    followUpProposed: false,
    outcomeKept: null,
    startedAt: row.startedAt.toISOString(),
    endedAt: iso(row.endedAt),
    closed: row.closedAt !== null,
    version: row.version,
    now: now.toISOString(),
  };
}
