import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { DialerPhase, DialerStatus } from "@portal/contract/entities/dialer";
import type { LineBrief, LineEndReason, LineState } from "@portal/contract/entities/line";
import type { LineRow } from "../../telephony/outbound/line-repository.ts";

/** Time limits of lines, in milliseconds. */
export const lineTimings = {
  /** After this time without work the line announces its end and ends. */
  idleMs: 10 * 60_000,
  /** After this time it dials no further lead: the provider ends any call after four hours. */
  longestMs: 230 * 60_000,
  /** During a countdown keys are accepted until this long before its end; for the rest the response is held. */
  answerMs: 700,
  /** Upper bound for speaking one character. */
  letterMs: 80,
  /** Maximum time for which a request is held; the provider gives up after 15 s. */
  holdMs: 8_000,
  /** An update of the live call that caused no request is repeated after this time. */
  wakeAgainMs: 5_000,
  /** Time for the request after a Dial to arrive once its call has ended. */
  afterCallMs: 10_000,
};

/** State of a session, as far as its line is concerned. */
export interface SessionFacts {
  status: DialerStatus;
  phase: DialerPhase;
  position: number;
  /** The session's current call. */
  callId: number | null;
  brief: LineBrief;
}

export interface LineFacts {
  state: LineState;
  step: LineRow["step"];
  /** Position in the session that the step refers to. */
  stepPosition: number | null;
  briefedPosition: number | null;
  /** The call that the step refers to. */
  callId: number | null;
  isAsked: boolean;
  isEnding: boolean;
  /**
   * Milliseconds since 1 was pressed, since the last work, since the provider's last request, and since the last update of the live call.
   */
  ageMs: number;
  restMs: number;
  silenceMs: number;
  wokenMs: number;
}

/** The call on a line: the one in progress, the last one, or one requested on the screen that is not dialed yet. */
export interface CallFacts {
  id: number;
  isNamed: boolean;
  isEnded: boolean;
  /** A manual call that has ended without an outcome. */
  asksOutcome: boolean;
  /** Milliseconds since its end. */
  endedMs: number;
}

/** What a line should do next. */
export type LineDecision =
  | { kind: "bye"; reason: Extract<LineEndReason, "session_over" | "idle" | "time_limit"> }
  /** Dials a lead whose call was requested on the screen. */
  | { kind: "join"; callId: number }
  /** The lead was to be dialed before; its leg shows what happened. */
  | { kind: "named"; callId: number }
  | { kind: "brief"; position: number }
  | { kind: "dial"; position: number }
  /** Holds the request until the countdown ends or something else changes. */
  | { kind: "hold" }
  | { kind: "wrap_up"; callId: number }
  | { kind: "waiting" };

const isLive = ({ status }: SessionFacts) => status === "active" || status === "paused";

/** Decides what an open line does next, by the state of its session. */
export function decideLine(session: SessionFacts, line: LineFacts, call: CallFacts | null): LineDecision {
  if (line.isEnding) return { kind: "bye", reason: "session_over" };
  if (call && !call.isEnded) return { kind: call.isNamed ? "named" : "join", callId: call.id };
  if (!isLive(session)) return { kind: "bye", reason: "session_over" };
  if (line.ageMs >= lineTimings.longestMs) return { kind: "bye", reason: "time_limit" };
  if (session.status === "active" && (session.phase === "countdown" || session.phase === "checking")) {
    const { position } = session;
    if (session.brief !== "off" && line.briefedPosition !== position) return { kind: "brief", position };
    return session.phase === "checking" ? { kind: "dial", position } : { kind: "hold" };
  }
  // Its call has ended, and the session handles that in a moment.
  if (session.phase === "calling") return { kind: "hold" };
  if (line.restMs >= lineTimings.idleMs) return { kind: "bye", reason: "idle" };
  if (call?.asksOutcome) return { kind: "wrap_up", callId: call.id };
  return session.phase === "wrap_up" && session.callId !== null
    ? { kind: "wrap_up", callId: session.callId }
    : { kind: "waiting" };
}

/** Whole seconds in which keys can be accepted after this text, so that the response is requested in time; null if there is no time. */
export function keySecondsBefore(dueAt: number | null, { said, now }: { said: string[]; now: number }) {
  if (dueAt === null) return null;
  const spokenMs = said.join(" ").length * lineTimings.letterMs;
  const seconds = Math.floor((dueAt - now - spokenMs - lineTimings.answerMs) / 1_000);
  return seconds >= 1 ? seconds : null;
}

/** How a line has to be moved from our side; null if it will ask by itself. */
export type LineMove = "ring" | "wake" | "hang_up" | "end_lead" | null;

/** Whether a line that waits for a key, or was woken, has something else to do. */
function needsWaking(session: SessionFacts, line: LineFacts, call: CallFacts | null): boolean {
  const next = decideLine(session, line, call);
  switch (line.step) {
    case "wrap_up":
      return next.kind !== "wrap_up" || next.callId !== line.callId;
    case "waiting":
      return next.kind !== "waiting";
    // A brief about a lead who is no longer next is interrupted; other text is spoken to its end.
    case "brief":
      return session.position !== line.stepPosition || next.kind === "join";
    case "keys":
      return next.kind !== "hold" || session.position !== line.stepPosition;
    case "countdown":
      return next.kind === "join";
    case "waking":
      return line.wokenMs > lineTimings.wakeAgainMs && line.silenceMs > lineTimings.wakeAgainMs;
    case "dial":
      return (
        call?.isEnded === true &&
        call.endedMs > lineTimings.afterCallMs &&
        line.silenceMs > lineTimings.afterCallMs
      );
    case "ask":
      return false;
  }
}

/** Compares the last instruction to a line with what it should do. */
export function decideMove(
  session: SessionFacts,
  line: LineFacts,
  call: (CallFacts & { isLeadLive: boolean }) | null,
): LineMove {
  if (line.state === "ended") return call?.isLeadLive ? "end_lead" : null;
  if (!isLive(session) && line.state !== "open") return "hang_up";
  if (!line.isAsked) return "ring";
  // A line that is saying goodbye ends by itself.
  if (line.state !== "open" || line.isEnding) return null;
  return needsWaking(session, line, call) ? "wake" : null;
}

/** When a lead is called back, for the keys 1, 2 and 3. */
export const callBacks = ["hour", "afternoon", "tomorrow"] as const;
export type CallBack = (typeof callBacks)[number];

/** What a key asks for. */
export type KeyRequest =
  | { kind: "none" | "wrong" | "brief" | "pause" | "go" | "ask_correction" }
  | { kind: "outcome"; callId: number; outcome: CallOutcome; back: CallBack | null }
  | { kind: "suggested" | "ask_back"; callId: number }
  | { kind: "back"; callId: number; back: CallBack }
  | { kind: "correct"; callId: number; outcome: CallOutcome };

const keysAnywhere: Record<string, KeyRequest> = {
  "": { kind: "none" },
  "0": { kind: "pause" },
  "8": { kind: "brief" },
  "*": { kind: "ask_correction" },
};

/**
 * Interprets a key by where it was asked for: `about` is a call without an outcome (`call-7`), when to call back (`back-7`, `back-7-1` once
 * chosen), the correction of an earlier call (`fix-7`), a brief or countdown (`brief-2`, `count-2`), or `waiting`.
 */
export function readKey(about: string, key: string): KeyRequest {
  const [, what = "waiting", id, chosen] =
    /^(call|back|fix|brief|count)-(\d{1,10})(?:-([123]))?$/.exec(about) ?? [];
  const callId = Number(id);
  const outcome = callOutcomes[Number(key) - 1];
  const back = callBacks[Number(key) - 1];
  if (key === "") return { kind: "none" };
  if (what === "fix") return outcome ? { kind: "correct", callId, outcome } : { kind: "wrong" };
  if (what === "back") {
    const then = callBacks[Number(chosen) - 1];
    if (then) return outcome ? { kind: "outcome", callId, outcome, back: then } : { kind: "wrong" };
    return back ? { kind: "back", callId, back } : { kind: "wrong" };
  }
  const anywhere = keysAnywhere[key];
  if (anywhere) return anywhere;
  if (what === "brief" || what === "count") return { kind: "wrong" };
  if (what === "waiting") return { kind: key === "1" ? "go" : "wrong" };
  if (key === "#") return { kind: "suggested", callId };
  if (key === "7") return { kind: "ask_back", callId };
  return outcome ? { kind: "outcome", callId, outcome, back: null } : { kind: "wrong" };
}

const hourMs = 3_600_000;

/** The follow-up of a call-back in a zone: in an hour, at 3 PM (if that has passed, in two hours), or tomorrow at this time. */
export function followUpOf(back: CallBack, { now, zone }: { now: Date; zone: string }) {
  const clockOf = (at: Date) =>
    at.toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  const today = (time: string) => ({
    nextFollowUpDate: now.toISOString(),
    nextFollowUpTime: time,
    nextFollowUpZone: zone,
  });
  if (back === "afternoon" && clockOf(now) < "14:30") return today("15:00");
  const hours = { hour: 1, afternoon: 2, tomorrow: 24 };
  const at = new Date(now.getTime() + hours[back] * hourMs);
  return { ...today(clockOf(at)), nextFollowUpDate: at.toISOString() };
}
