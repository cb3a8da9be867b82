import type { DialerPreview, DialerSession, DialerSummary } from "@portal/contract/entities/dialer";
import { buildLead } from "./lead-builders.ts";

/** A session that waits to ring for its seventh lead, with overrides. */
export function buildDialer(overrides: Partial<DialerSession> = {}): DialerSession {
  return {
    id: 3,
    status: "active",
    phase: "waiting",
    step: overrides.phase === "calling" ? "ringing_you" : ((overrides.phase ?? "waiting") as "waiting"),
    position: 6,
    total: 42,
    order: "createdAt",
    source: { kind: "filter", status: "new" },
    delaySeconds: 5,
    autoDial: true,
    pauseReason: null,
    dueAt: null,
    again: false,
    typingUntil: null,
    lead: buildLead(),
    call: null,
    suggestedOutcome: null,
    counts: { dialled: 5, reached: 3, skipped: 1, failed: 0 },
    lastFailure: null,
    followUpProposed: false,
    startedAt: "2026-11-20T09:40:00.000Z",
    endedAt: null,
    closed: false,
    version: 20,
    now: new Date().toISOString(),
    ...overrides,
  };
}

/** The preview of the example. */
export function buildPreview(overrides: Partial<DialerPreview> = {}): DialerPreview {
  const lead = (leadId: number, name: string, allowedAt: string | null = null) => ({
    leadId,
    name,
    company: null,
    allowedAt,
  });
  return {
    total: 42,
    now: 31,
    nowLeads: [lead(7, "Inés Duarte")],
    groups: [
      {
        reason: "outside_hours",
        count: 6,
        allowedAt: "2026-11-21T00:00:00.000Z",
        timeZone: "America/Los_Angeles",
        leads: [lead(8, "Kevin Soto", "2026-11-21T00:00:00.000Z")],
      },
      { reason: "opted_out", count: 3, allowedAt: null, timeZone: null, leads: [lead(9, "Óscar Peña")] },
      { reason: "no_phone", count: 2, allowedAt: null, timeZone: null, leads: [lead(10, "Nora Gil")] },
    ],
    ...overrides,
  };
}

export function buildSummary(overrides: Partial<DialerSummary> = {}): DialerSummary {
  return {
    sessionId: 3,
    status: "completed",
    total: 42,
    dialled: 36,
    reached: 20,
    talkSeconds: 754,
    elapsedSeconds: 3600,
    callsPerHour: 36,
    outcomes: [
      { outcome: "answered", count: 20 },
      { outcome: "busy", count: 16 },
    ],
    skipped: [
      {
        reason: "opted_out",
        count: 3,
        leads: [{ leadId: 9, name: "Óscar Peña", company: null, allowedAt: null }],
      },
    ],
    failed: [{ leadId: 11, name: "Rita Vega", result: "failed" }],
    remaining: 0,
    ...overrides,
  };
}
