import { type DialerState, stepDialer } from "@portal/contract/dialer-machine";
import type { DialerSession } from "@portal/contract/entities/dialer";

export type SessionCommand = "pause" | "resume" | "stop" | "skip" | "call_now" | "hold";

/** The state for the shared state machine, from the fields that the browser has. */
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
    skipping: session.skipping,
  };
}

/**
 * Whether a command would change the session, by the shared state machine; other buttons are hidden. `position` is the lead that was on
 * screen when it was given.
 */
export function accepts(
  session: DialerSession,
  command: SessionCommand,
  position: number = session.position,
): boolean {
  const state = machineState(session);
  const now = Date.parse(session.now);
  switch (command) {
    case "pause":
      return stepDialer(state, { type: "pause", reason: "consultant" }).state !== state;
    case "skip":
      // The server refuses if the outcome is missing.
      return stepDialer(state, { type: "skip", position, now, outcomeKnown: true }).state !== state;
    case "call_now":
    case "hold":
      // The first lead is called as soon as the consultant is on their line.
      if (isLineRung(session)) return false;
      return stepDialer(state, { type: command, position }).state !== state;
    case "resume":
      return stepDialer(state, { type: command, position }).state !== state;
    case "stop":
      return stepDialer(state, { type: command }).state !== state;
  }
}

/** Whether the session waits for its consultant to answer and press 1. */
export function isLineRung({ line, status, phase }: DialerSession): boolean {
  const rings = line !== null && line.state !== "open" && line.state !== "ended";
  return rings && status === "active" && phase === "waiting";
}

/** Whether Resume rings the consultant because their line has ended. */
export function ringsAgain({ lineMode, line }: DialerSession): boolean {
  return lineMode === "open_line" && (line === null || line.state === "ended");
}

/** Seconds until the current lead is dialed, extended while typing; null outside of the countdown. */
export function secondsUntilDue(session: DialerSession, serverNow: number): number | null {
  if (session.phase !== "countdown" || session.dueAt === null) return null;
  const due = Math.max(Date.parse(session.dueAt), session.typingUntil ? Date.parse(session.typingUntil) : 0);
  return Math.max(0, Math.ceil((due - serverNow) / 1000));
}

/** Whether typing extends the countdown. */
export function heldByTyping(session: DialerSession, serverNow: number): boolean {
  return (
    session.phase === "countdown" &&
    session.dueAt !== null &&
    session.typingUntil !== null &&
    Date.parse(session.typingUntil) > Math.max(serverNow, Date.parse(session.dueAt))
  );
}

/** Seconds that the current call waits for the account's pace; 0 if it does not. */
export function secondsUntilDialled(session: DialerSession, serverNow: number): number {
  const { call } = session;
  if (call?.state !== "requested" || call.dialsAt === null) return 0;
  return Math.max(0, Math.ceil((Date.parse(call.dialsAt) - serverNow) / 1000));
}

/** Whether a summary is shown: of an ended session until it is dismissed, but not if it was stopped before anything happened. */
export function hasSummary({ closed, counts, status }: DialerSession): boolean {
  const worked = counts.dialled + counts.skipped + counts.failed > 0;
  return !closed && (status === "completed" || (status === "stopped" && worked));
}
