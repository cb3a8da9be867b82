import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import type { DialerPhase, DialerStatus } from "@portal/contract/entities/dialer";
import type { LineBrief, LineEndReason, LineState } from "@portal/contract/entities/line";
import type { LineRow } from "../../telephony/outbound/line-repository.ts";

/** When a line is ended, asked about and led on, in milliseconds. */
export const lineTimings = {
  /** Without work it says so and ends. */
  idleMs: 10 * 60_000,
  /** It takes no further lead: the provider ends any call after four hours. */
  longestMs: 230 * 60_000,
  /** In a countdown keys are heard until so long before its end; the rest of it our answer is held. */
  answerMs: 700,
  /** How long a letter is spoken, at most. */
  letterMs: 80,
  /** A request is held no longer than this; the provider gives up after 15 s. */
  holdMs: 8_000,
  /** An update of the live call that brought no request is sent again. */
  wakeAgainMs: 5_000,
  /** The request after a Dial has not come, though its call has ended. */
  afterCallMs: 10_000,
};

/** Where a session stands, as far as its line goes. */
export interface SessionFacts {
  status: DialerStatus;
  phase: DialerPhase;
  position: number;
  /** The call in hand. */
  callId: number | null;
  brief: LineBrief;
}

export interface LineFacts {
  state: LineState;
  step: LineRow["step"];
  /** The place in the session that the step is about. */
  stepPosition: number | null;
  briefedPosition: number | null;
  /** The call that the step is about. */
  callId: number | null;
  isAsked: boolean;
  isEnding: boolean;
  /** Milliseconds since 1 was pressed, the last work, the last request of the provider, and the last update of the live call. */
  ageMs: number;
  restMs: number;
  silenceMs: number;
  wokenMs: number;
}

/** The call on a line: one that is rung or talked on, one that ended last, or one that was asked for on the screen and waits for its dialling. */
export interface CallFacts {
  id: number;
  isNamed: boolean;
  isEnded: boolean;
  /** It was made by hand and has ended, and its outcome is missing. */
  asksOutcome: boolean;
  /** Milliseconds since its end. */
  endedMs: number;
}

/** What a line that asks is to do. */
export type LineDecision =
  | { kind: "bye"; reason: Extract<LineEndReason, "session_over" | "idle" | "time_limit"> }
  /** Joins a lead who was asked for on the screen. */
  | { kind: "join"; callId: number }
  /** A lead was named to the provider before: their leg shows what became of it. */
  | { kind: "named"; callId: number }
  | { kind: "brief"; position: number }
  | { kind: "dial"; position: number }
  /** Holds the request until the countdown is over or something else changes. */
  | { kind: "hold" }
  | { kind: "wrap_up"; callId: number }
  | { kind: "waiting" };

const isLive = ({ status }: SessionFacts) => status === "active" || status === "paused";

/** What an open line is to do next, by where its session stands. */
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
  // Its call has ended, and is taken up by the session in a moment.
  if (session.phase === "calling") return { kind: "hold" };
  if (line.restMs >= lineTimings.idleMs) return { kind: "bye", reason: "idle" };
  if (call?.asksOutcome) return { kind: "wrap_up", callId: call.id };
  return session.phase === "wrap_up" && session.callId !== null
    ? { kind: "wrap_up", callId: session.callId }
    : { kind: "waiting" };
}

/** Whole seconds for which keys are heard after these words, so that our answer is asked for in time; null where there is no time for that. */
export function keySecondsBefore(dueAt: number | null, { said, now }: { said: string[]; now: number }) {
  if (dueAt === null) return null;
  const spokenMs = said.join(" ").length * lineTimings.letterMs;
  const seconds = Math.floor((dueAt - now - spokenMs - lineTimings.answerMs) / 1_000);
  return seconds >= 1 ? seconds : null;
}

/** What is to be done about a line from our side; null: it comes back by itself. */
export type LineMove = "ring" | "wake" | "hang_up" | "end_lead" | null;

/** Whether a line that waits for a key, or is woken, has something else to do. */
function needsWaking(session: SessionFacts, line: LineFacts, call: CallFacts | null): boolean {
  const next = decideLine(session, line, call);
  switch (line.step) {
    case "wrap_up":
      return next.kind !== "wrap_up" || next.callId !== line.callId;
    case "waiting":
      return next.kind !== "waiting";
    // Words about a lead who is no longer the next are cut short; others end by themselves.
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

/** Compares the last instruction to a line with what there is to do. */
export function decideMove(
  session: SessionFacts,
  line: LineFacts,
  call: (CallFacts & { isLeadLive: boolean }) | null,
): LineMove {
  if (line.state === "ended") return call?.isLeadLive ? "end_lead" : null;
  if (!isLive(session) && line.state !== "open") return "hang_up";
  if (!line.isAsked) return "ring";
  // What takes its leave ends by itself.
  if (line.state !== "open" || line.isEnding) return null;
  return needsWaking(session, line, call) ? "wake" : null;
}

/** When a lead is called back, by the keys 1, 2 and 3. */
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
 * What a key means where it was asked for: `about` a call that waits for its outcome (`call-7`), when to call back (`back-7`, `back-7-1` once that is
 * chosen), the right outcome of an earlier call (`fix-7`), while a lead's brief is said or their turn awaited (`brief-2`, `count-2`), or `waiting`.
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

/** The follow-up of a call-back, on the clocks of a zone: in an hour, at 3 PM (where that has passed, in two hours), tomorrow at this time. */
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
