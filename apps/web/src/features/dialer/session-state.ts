import { type DialerState, stepDialer } from "@portal/contract/dialer-machine";
import type { DialerSession } from "@portal/contract/entities/dialer";

export type SessionCommand = "pause" | "resume" | "stop" | "skip" | "call_now" | "hold";

/** The session as the machine knows it, as far as the browser is told. */
function machineState(session: DialerSession): DialerState {
  const { status, phase, position, total, autoDial, delaySeconds, pauseReason } = session;
  return {
    status,
    phase,
    position,
    total,
    autoDial,
    delaySeconds,
    pauseReason,
    callId: session.call?.id ?? null,
    repMisses: 0,
    failures: 0,
    dueAt: session.dueAt === null ? null : Date.parse(session.dueAt),
    typingUntil: session.typingUntil === null ? null : Date.parse(session.typingUntil),
    skipping: false,
  };
}

/** Whether a command means anything now, by the machine's own rules: the buttons that would change nothing are not shown. */
export function accepts(session: DialerSession, command: SessionCommand): boolean {
  const state = machineState(session);
  const { position } = session;
  const now = Date.parse(session.now);
  switch (command) {
    case "pause":
      return stepDialer(state, { type: "pause", reason: "consultant" }).state !== state;
    case "skip":
      // Where the outcome is missing the server says so.
      return stepDialer(state, { type: "skip", position, now, outcomeKnown: true }).state !== state;
    case "call_now":
    case "hold":
      return stepDialer(state, { type: command, position }).state !== state;
    case "resume":
    case "stop":
      return stepDialer(state, { type: command }).state !== state;
  }
}

/** Seconds of talk by the server's clock; null where nobody has answered. */
export function talkSeconds(session: DialerSession, serverNow: number): number | null {
  const { call } = session;
  if (!call) return null;
  if (call.talkSeconds !== null) return call.talkSeconds || null;
  if (call.answeredAt === null) return null;
  const until = call.endedAt === null ? serverNow : Date.parse(call.endedAt);
  return Math.max(0, Math.floor((until - Date.parse(call.answeredAt)) / 1000));
}

/** Seconds until the current lead is dialled, with the time that typing adds; null outside the countdown. */
export function secondsUntilDue(session: DialerSession, serverNow: number): number | null {
  if (session.phase !== "countdown" || session.dueAt === null) return null;
  const due = Math.max(Date.parse(session.dueAt), session.typingUntil ? Date.parse(session.typingUntil) : 0);
  return Math.max(0, Math.ceil((due - serverNow) / 1000));
}

/** Whether what is typed holds the countdown beyond its end. */
export function heldByTyping(session: DialerSession, serverNow: number): boolean {
  return (
    session.phase === "countdown" &&
    session.dueAt !== null &&
    session.typingUntil !== null &&
    Date.parse(session.typingUntil) > Math.max(serverNow, Date.parse(session.dueAt))
  );
}

/** Seconds that the call in hand waits for the account's pace; 0 where it does not. */
export function secondsUntilDialled(session: DialerSession, serverNow: number): number {
  const { call } = session;
  if (call?.state !== "requested" || call.dialsAt === null) return 0;
  return Math.max(0, Math.ceil((Date.parse(call.dialsAt) - serverNow) / 1000));
}
