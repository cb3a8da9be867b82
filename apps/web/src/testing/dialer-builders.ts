import type { DialerPreview, DialerSession, DialerSummary } from "@portal/contract/entities/dialer";
import { listCallLogs } from "@portal/contract/routes/calls";
import * as routes from "@portal/contract/routes/dialer";
import type { QueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { invalidatePaths } from "../lib/query-client.ts";
import { buildCall, buildLead } from "./lead-builders.ts";
import { renderPortal } from "./render-portal.tsx";
import { replyTo, server } from "./server.ts";

const untried = { attempts: 0, lastAttemptAt: null, lastAttemptOutcome: null };

/** A session that is about to call its seventh lead, with overrides. */
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
    lineMode: "each_call",
    brief: "short",
    leaveMessage: false,
    line: null,
    autoDial: true,
    pauseReason: null,
    dueAt: null,
    again: false,
    typingUntil: null,
    lead: buildLead(),
    callers: [],
    passedOver: [],
    skipping: false,
    call: null,
    suggestedOutcome: null,
    counts: { dialled: 5, reached: 3, skipped: 1, failed: 0 },
    lastFailure: null,
    followUpProposed: false,
    outcomeKept: null,
    startedAt: "2026-11-20T09:40:00.000Z",
    endedAt: null,
    closed: false,
    version: 20,
    now: new Date().toISOString(),
    ...overrides,
  };
}

/** An instant this many seconds from now; in the past if negative. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

/** A session whose call was busy and that waits for the outcome. */
export function buildWrapUp(overrides: Partial<DialerSession> = {}): DialerSession {
  const leadRingingAt = "2026-11-20T10:00:08.000Z";
  const call = buildCall({ state: "ended", result: "busy", leadRingingAt, callLogId: 51 });
  return buildDialer({ phase: "wrap_up", call, suggestedOutcome: "busy", ...overrides });
}

/** The preview of the example. */
export function buildPreview(overrides: Partial<DialerPreview> = {}): DialerPreview {
  const lead = (leadId: number, name: string, allowedAt: string | null = null) => ({
    leadId,
    name,
    company: null,
    allowedAt,
    ...untried,
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

function buildSummary(overrides: Partial<DialerSummary> = {}): DialerSummary {
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
        leads: [{ leadId: 9, name: "Óscar Peña", company: null, allowedAt: null, ...untried }],
      },
    ],
    failed: [{ leadId: 11, name: "Rita Vega", result: "failed" }],
    remaining: 0,
    ...overrides,
  };
}

/** Serves the dialer's routes for one session; `asked` contains the requests, `publish` applies changes like an event. */
export function serveDialer(first: DialerSession | null) {
  let session = first;
  const asked: { route: string; body: unknown }[] = [];
  const answer =
    (route: string) =>
    ({ body }: { body: unknown }): DialerSession => {
      asked.push({ route, body });
      if (!session) throw new Error(`${route} without a session`);
      return session;
    };
  server.use(
    replyTo(routes.getDialer, () => ({ session })),
    replyTo(routes.previewDialer, buildPreview()),
    replyTo(routes.startDialer, answer("start")),
    replyTo(routes.commandDialer, answer("command")),
    replyTo(routes.moveNextInDialer, answer("next")),
    replyTo(routes.wrapUpDialer, answer("wrap-up")),
    replyTo(routes.setDialerDelay, answer("delay")),
    replyTo(routes.closeDialer, answer("close")),
    replyTo(routes.typingInDialer, () => {
      asked.push({ route: "typing", body: undefined });
      return { typingUntil: new Date().toISOString() };
    }),
    replyTo(routes.getDialerSummary, buildSummary()),
    replyTo(listCallLogs, []),
  );
  return {
    asked,
    /** Sets the session for the next responses. */
    becomes(next: DialerSession | null) {
      session = next;
    },
    async publish(client: QueryClient, next: DialerSession | null) {
      session = next;
      await invalidatePaths(client, ["/api/dialer"]);
    },
  };
}

/** Renders the dialer's page with one session. */
export async function openDialerSession(session: DialerSession) {
  const dialer = serveDialer(session);
  const rendered = renderPortal("/auto-dialer");
  const panel = within(await screen.findByRole("region", { name: "Auto-Dialer" }));
  return { ...rendered, ...dialer, panel };
}
