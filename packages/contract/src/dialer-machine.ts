import type { CallResult } from "./entities/call.ts";
import type { DialerPauseReason, DialerPhase, DialerSkipReason, DialerStatus } from "./entities/dialer.ts";
import { limits } from "./limits.ts";

/** A calling session, as far as its rules go. Instants in ms. */
export interface DialerState {
  status: DialerStatus;
  phase: DialerPhase;
  /** Index of the current lead; `total` once all were worked. */
  position: number;
  total: number;
  /** The call in hand, in `calling` and `wrap_up`. */
  callId: number | null;
  /** Own phone left unanswered so often in a row. */
  repMisses: number;
  /** Calls in a row that could not be made. */
  failures: number;
  pauseReason: DialerPauseReason | null;
  /** When the current lead is dialled, in `countdown`. */
  dueAt: number | null;
  typingUntil: number | null;
  /** The consultant asked to skip the lead that is being rung. */
  skipping: boolean;
  autoDial: boolean;
  delaySeconds: number;
}

/** What the server found when it went to dial the current lead. */
export type DialerDecision =
  | { kind: "requested"; callId: number }
  /** This lead's phone rang in the session's last call after all, as was reported late: its outcome is missing. */
  | { kind: "reached"; callId: number }
  /** This lead is not to be dialled. */
  | { kind: "skip"; reason: DialerSkipReason }
  /** This lead could not be dialled, though nothing spoke against it. */
  | { kind: "failed" }
  /** Not now, but so soon that the session waits (pace, cap of a minute). */
  | { kind: "later"; at: number }
  /** No lead can be dialled. */
  | { kind: "pause"; reason: DialerPauseReason };

/** What is known of a call of the session; reported anew at every change, in any order. */
export interface DialerCallFacts {
  callId: number;
  ended: boolean;
  result: CallResult | null;
  /** The lead's phone rang, or the provider found it out of reach: the call is logged. */
  leadReached: boolean;
  /** The provider knows an outcome. */
  outcomeKnown: boolean;
  /** The consultant has given the outcome. */
  confirmed: boolean;
}

export type DialerEvent =
  | { type: "verdict"; position: number; verdict: DialerDecision; now: number }
  | { type: "call"; facts: DialerCallFacts; now: number }
  | { type: "tick"; now: number }
  | { type: "pause"; reason: DialerPauseReason }
  /** `position` is the lead that was shown: another one is not dialled for it. `awaitsLine`: it waits until the consultant's line stands. */
  | { type: "resume"; position: number; awaitsLine?: boolean }
  | { type: "stop" }
  | { type: "skip"; position: number; outcomeKnown: boolean; now: number }
  | { type: "call_now"; position: number }
  | { type: "hold"; position: number }
  /** Why the leads from `position` on, one after the other, are not to be dialled: found while the first of them awaits its turn. */
  | { type: "pass_over"; position: number; reasons: DialerSkipReason[]; now: number }
  /** The consultant is at it, for so many ms: nobody is dialled meanwhile. */
  | { type: "typing"; now: number; ms?: number };

/** What the machine asks of the server. */
export type DialerCommand =
  /** Ask the contact policy about the lead at `position`, and request its call. */
  | { kind: "dial"; position: number }
  /** End the call, whoever is on it; where the lead's phone does not ring yet, it never will. */
  | { kind: "end_call"; callId: number }
  /** The same, unless the lead's phone is being rung already: that call goes on without the session. */
  | { kind: "withdraw_call"; callId: number }
  /** The lead at `position` is worked. */
  | { kind: "settle"; position: number; as: "done" | "failed" }
  | { kind: "settle"; position: number; as: "skipped"; reason: DialerSkipReason };

export interface DialerStep<Command = DialerCommand> {
  state: DialerState;
  commands: Command[];
}

/** Start rings for the first lead at once, or as soon as the consultant's line stands. `total` is at least 1. */
export function startDialer({
  awaitsLine = false,
  ...input
}: {
  total: number;
  autoDial: boolean;
  delaySeconds: number;
  awaitsLine?: boolean;
}): DialerStep<Extract<DialerCommand, { kind: "dial" }>> {
  const state: DialerState = {
    ...input,
    status: "active",
    phase: awaitsLine ? "waiting" : "checking",
    position: 0,
    callId: null,
    repMisses: 0,
    failures: 0,
    pauseReason: null,
    dueAt: null,
    typingUntil: null,
    skipping: false,
  };
  return { state, commands: awaitsLine ? [] : [{ kind: "dial", position: 0 }] };
}

export function isLiveDialer({ status }: Pick<DialerState, "status">): boolean {
  return status === "active" || status === "paused";
}

const stay = (state: DialerState): DialerStep => ({ state, commands: [] });

/** Waits for the current lead's turn: the countdown, or the consultant's word. */
function awaitTurn(state: DialerState, dueAt: number): DialerState {
  const idle = { ...state, callId: null, skipping: false };
  return state.status === "active" && state.autoDial
    ? { ...idle, phase: "countdown", dueAt }
    : { ...idle, phase: "waiting", dueAt: null };
}

const dueAfter = (state: DialerState, now: number) => now + state.delaySeconds * 1000;

/** The current lead is worked: on to the next, or to the end. */
function advance(state: DialerState, now: number): DialerState {
  const position = state.position + 1;
  if (position < state.total) return awaitTurn({ ...state, position }, dueAfter(state, now));
  return completed(state);
}

function completed(state: DialerState): DialerState {
  return {
    ...state,
    position: state.total,
    status: "completed",
    phase: "waiting",
    callId: null,
    dueAt: null,
    skipping: false,
    pauseReason: null,
  };
}

function paused(state: DialerState, reason: DialerPauseReason): DialerState {
  if (state.status !== "active") return state;
  const next: DialerState = { ...state, status: "paused", pauseReason: reason };
  const hasCall = state.phase === "calling" || state.phase === "wrap_up";
  return hasCall ? next : { ...next, phase: "waiting", callId: null, dueAt: null };
}

function dial(state: DialerState): DialerStep {
  return {
    state: { ...state, phase: "checking", dueAt: null, callId: null, skipping: false },
    commands: [{ kind: "dial", position: state.position }],
  };
}

function onVerdict(state: DialerState, event: Extract<DialerEvent, { type: "verdict" }>): DialerStep {
  const { verdict, now, position } = event;
  if (state.status !== "active" || state.phase !== "checking" || state.position !== position)
    return stay(state);
  switch (verdict.kind) {
    case "requested":
      return stay({ ...state, phase: "calling", callId: verdict.callId });
    case "reached":
      return stay({ ...state, phase: "wrap_up", callId: verdict.callId });
    case "skip": {
      const settle: DialerCommand = { kind: "settle", position, as: "skipped", reason: verdict.reason };
      const next = advance(state, now);
      // Nobody was rung: the next lead needs no pause for breath, unless the consultant dials each by hand.
      if (next.status !== "active" || !next.autoDial) return { state: next, commands: [settle] };
      const dialled = dial(next);
      return { state: dialled.state, commands: [settle, ...dialled.commands] };
    }
    case "failed":
      return onFailed(state, now);
    case "later":
      return stay({ ...state, phase: "countdown", dueAt: verdict.at });
    case "pause":
      return stay(paused(state, verdict.reason));
  }
}

/** On to the next, unless it is the provider that fails and not the lead. */
function onFailed(state: DialerState, now: number): DialerStep {
  const failures = state.failures + 1;
  const next = advance({ ...state, failures }, now);
  return {
    state: failures >= limits.dialerFailures ? paused(next, "provider") : next,
    commands: [{ kind: "settle", position: state.position, as: "failed" }],
  };
}

/** The lead's phone never rang. */
function onUnreached(state: DialerState, result: CallResult | null, now: number): DialerStep {
  const { position, skipping } = state;
  if (skipping) {
    return {
      state: advance(state, now),
      commands: [{ kind: "settle", position, as: "skipped", reason: "consultant" }],
    };
  }
  if (result === "canceled") return stay(paused(awaitTurn(state, dueAfter(state, now)), "canceled"));
  if (result === "failed") return onFailed(state, now);
  const missed = { ...state, failures: 0, repMisses: state.repMisses + 1 };
  const again = awaitTurn(missed, dueAfter(state, now));
  return stay(missed.repMisses >= limits.dialerRepMisses ? paused(again, "rep_not_answering") : again);
}

function onCall(state: DialerState, { facts, now }: Extract<DialerEvent, { type: "call" }>): DialerStep {
  const inHand = state.phase === "calling" || state.phase === "wrap_up";
  if (!isLiveDialer(state) || !inHand || state.callId !== facts.callId || !facts.ended) return stay(state);
  if (!facts.leadReached) {
    // Once reached, never unreached: facts that are reported late are the older ones.
    return state.phase === "calling" ? onUnreached(state, facts.result, now) : stay(state);
  }
  const reached = { ...state, repMisses: 0, failures: 0 };
  const done = facts.confirmed || (state.skipping && facts.outcomeKnown);
  if (!done) return stay({ ...reached, phase: "wrap_up" });
  return {
    state: advance(reached, now),
    commands: [{ kind: "settle", position: state.position, as: "done" }],
  };
}

function onTick(state: DialerState, now: number): DialerStep {
  if (state.status !== "active" || state.phase !== "countdown" || state.dueAt === null) return stay(state);
  const due = Math.max(state.dueAt, state.typingUntil ?? 0);
  if (now < due) return stay(state);
  // Nobody is rung by surprise after the server was away.
  if (now > due + limits.dialerOverdueMs) return stay(paused(state, "interrupted"));
  return dial(state);
}

function onSkip(state: DialerState, event: Extract<DialerEvent, { type: "skip" }>): DialerStep {
  const { position, now, outcomeKnown } = event;
  if (!isLiveDialer(state) || position !== state.position || state.skipping) return stay(state);
  switch (state.phase) {
    case "calling":
      return state.callId === null
        ? stay(state)
        : {
            state: { ...state, skipping: true },
            commands: [{ kind: "end_call", callId: state.callId }],
          };
    case "wrap_up":
      // The provider's detection stays as the outcome, and the log stays under "Needs outcome".
      return outcomeKnown
        ? { state: advance(state, now), commands: [{ kind: "settle", position, as: "done" }] }
        : stay(state);
    // The dialling of a lead that is being checked finds the session past it, and asks for no call.
    case "checking":
    case "countdown":
    case "waiting":
      return {
        state: advance(state, now),
        commands: [{ kind: "settle", position, as: "skipped", reason: "consultant" }],
      };
  }
}

function onResume(
  state: DialerState,
  { position, awaitsLine }: Extract<DialerEvent, { type: "resume" }>,
): DialerStep {
  if (state.status !== "paused") return stay(state);
  const active: DialerState = { ...state, status: "active", pauseReason: null, repMisses: 0, failures: 0 };
  if (state.phase !== "waiting" || awaitsLine) return stay(active);
  return position === state.position ? dial(active) : stay(state);
}

/** Leads that would not be dialled are passed over before their turn: who is named next is who will be rung. */
function onPassOver(state: DialerState, event: Extract<DialerEvent, { type: "pass_over" }>): DialerStep {
  const ready = state.phase === "countdown" || state.phase === "waiting";
  const reasons = event.reasons.slice(0, state.total - state.position);
  if (!isLiveDialer(state) || !ready || event.position !== state.position || reasons.length === 0)
    return stay(state);
  const position = state.position + reasons.length;
  return {
    state: position < state.total ? { ...state, position } : completed(state),
    commands: reasons.map((reason, index) => ({
      kind: "settle",
      position: state.position + index,
      as: "skipped",
      reason,
    })),
  };
}

/** Nobody is rung for a session that is over. */
function onStop(state: DialerState): DialerStep {
  if (!isLiveDialer(state)) return stay(state);
  const { phase, callId } = state;
  return {
    state: { ...state, status: "stopped", dueAt: null, pauseReason: null },
    commands: phase === "calling" && callId !== null ? [{ kind: "withdraw_call", callId }] : [],
  };
}

/**
 * The rules of the auto-dialer: the server keeps the state and carries the commands out, the browser
 * shows it. Pure; events that do not fit the state change nothing, so that they may come late, twice or in any order. A lead is dialled
 * again only where its phone never rang.
 */
export function stepDialer(state: DialerState, event: DialerEvent): DialerStep {
  switch (event.type) {
    case "verdict":
      return onVerdict(state, event);
    case "call":
      return onCall(state, event);
    case "tick":
      return onTick(state, event.now);
    case "pause":
      return stay(paused(state, event.reason));
    case "resume":
      return onResume(state, event);
    case "pass_over":
      return onPassOver(state, event);
    case "stop":
      return onStop(state);
    case "skip":
      return onSkip(state, event);
    case "call_now": {
      const ready = state.phase === "countdown" || state.phase === "waiting";
      return state.status === "active" && ready && event.position === state.position
        ? dial(state)
        : stay(state);
    }
    case "hold":
      return state.status === "active" && state.phase === "countdown" && event.position === state.position
        ? stay({ ...state, phase: "waiting", dueAt: null })
        : stay(state);
    case "typing":
      return stay(
        isLiveDialer(state)
          ? { ...state, typingUntil: event.now + (event.ms ?? limits.dialerTypingMs) }
          : state,
      );
  }
}
