import type { CallResult } from "./entities/call.ts";
import type { DialerPauseReason, DialerPhase, DialerSkipReason, DialerStatus } from "./entities/dialer.ts";
import { limits } from "./limits.ts";

/** State of a dialer session, as far as its rules need it. Instants in ms. */
export interface DialerState {
  status: DialerStatus;
  phase: DialerPhase;
  /** Index of the current lead; `total` once all leads are worked. */
  position: number;
  total: number;
  /** The current call, in `calling` and `wrap_up`. */
  callId: number | null;
  /** How often in a row the consultant did not answer their own phone. */
  repMisses: number;
  /** How many calls in a row could not be made. */
  failures: number;
  pauseReason: DialerPauseReason | null;
  /** When the current lead is dialed, in `countdown`. */
  dueAt: number | null;
  typingUntil: number | null;
  /** The consultant asked to skip the lead whose call is in progress. */
  skipping: boolean;
  autoDial: boolean;
  delaySeconds: number;
}

/** The server's decision when it was to dial the current lead. */
export type DialerDecision =
  | { kind: "requested"; callId: number }
  /** A late report shows that this lead's phone did ring in the session's last call, so its outcome is still missing. */
  | { kind: "reached"; callId: number }
  /** This lead must not be dialed. */
  | { kind: "skip"; reason: DialerSkipReason }
  /** Dialing this lead failed although it was allowed. */
  | { kind: "failed" }
  /** Not yet, but soon enough for the session to wait (calls per second, calls per minute). */
  | { kind: "later"; at: number }
  /** No lead can be dialed. */
  | { kind: "pause"; reason: DialerPauseReason };

/** The known facts of a call of the session. Reported again at every change, in any order. */
export interface DialerCallFacts {
  callId: number;
  ended: boolean;
  result: CallResult | null;
  /** The lead's phone rang or the provider found it unreachable, so the call is logged. */
  leadReached: boolean;
  /** The provider reported an outcome. */
  outcomeKnown: boolean;
  /** The consultant gave the outcome. */
  confirmed: boolean;
}

export type DialerEvent =
  | { type: "decision"; position: number; decision: DialerDecision; now: number }
  | { type: "call"; facts: DialerCallFacts; now: number }
  | { type: "tick"; now: number }
  | { type: "pause"; reason: DialerPauseReason }
  /**
   * `position` is the lead that was shown; no other lead is dialed for it. `awaitsLine`: dialing waits until the consultant's line is
   * connected.
   */
  | { type: "resume"; position: number; awaitsLine?: boolean }
  | { type: "stop" }
  | { type: "skip"; position: number; outcomeKnown: boolean; now: number }
  | { type: "call_now"; position: number }
  | { type: "hold"; position: number }
  /** Reasons not to dial the leads from `position` on, one per lead, found before the first of them is due. */
  | { type: "pass_over"; position: number; reasons: DialerSkipReason[]; now: number }
  /** The consultant is typing: nobody is dialed for `ms` milliseconds. */
  | { type: "typing"; now: number; ms?: number };

/** Commands from the state machine to the server. */
export type DialerCommand =
  /** Check the contact policy for the lead at `position` and request the call. */
  | { kind: "dial"; position: number }
  /** End the call for both sides. If the lead's phone does not ring yet, it is not dialed. */
  | { kind: "end_call"; callId: number }
  /** End the call unless the lead's phone already rings; then the call continues without the session. */
  | { kind: "withdraw_call"; callId: number }
  /** The lead at `position` is done. */
  | { kind: "settle"; position: number; as: "done" | "failed" }
  | { kind: "settle"; position: number; as: "skipped"; reason: DialerSkipReason };

export interface DialerStep<Command = DialerCommand> {
  state: DialerState;
  commands: Command[];
}

/** Starts a session: dials the first lead at once, or once the consultant's line is connected. `total` is at least 1. */
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

/** Waits for the countdown or for the consultant to start the call. */
function awaitTurn(state: DialerState, dueAt: number): DialerState {
  const idle = { ...state, callId: null, skipping: false };
  return state.status === "active" && state.autoDial
    ? { ...idle, phase: "countdown", dueAt }
    : { ...idle, phase: "waiting", dueAt: null };
}

const dueAfter = (state: DialerState, now: number) => now + state.delaySeconds * 1000;

/** The current lead is done: moves on to the next one or completes the session. */
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

function onDecision(state: DialerState, event: Extract<DialerEvent, { type: "decision" }>): DialerStep {
  const { decision, now, position } = event;
  if (state.status !== "active" || state.phase !== "checking" || state.position !== position)
    return stay(state);
  switch (decision.kind) {
    case "requested":
      return stay({ ...state, phase: "calling", callId: decision.callId });
    case "reached":
      return stay({ ...state, phase: "wrap_up", callId: decision.callId });
    case "skip": {
      const settle: DialerCommand = { kind: "settle", position, as: "skipped", reason: decision.reason };
      const next = advance(state, now);
      // Nobody was dialed, so the next lead needs no countdown, unless the consultant starts each call by hand.
      if (next.status !== "active" || !next.autoDial) return { state: next, commands: [settle] };
      const dialled = dial(next);
      return { state: dialled.state, commands: [settle, ...dialled.commands] };
    }
    case "failed":
      return onFailed(state, now);
    case "later":
      return stay({ ...state, phase: "countdown", dueAt: decision.at });
    case "pause":
      return stay(paused(state, decision.reason));
  }
}

/** Moves on to the next lead, or pauses if the provider fails repeatedly. */
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
    // A reached lead stays reached: a later report without it is older.
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
  // Does not dial unexpectedly after the server was down.
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
      // The provider's outcome is kept, and the log stays under "Needs outcome".
      return outcomeKnown
        ? { state: advance(state, now), commands: [{ kind: "settle", position, as: "done" }] }
        : stay(state);
    // If the lead is being checked, its decision arrives after the session has moved on and requests no call.
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

/** Skips leads that would not be dialed before their turn, so that the lead shown as next is the one that is called. */
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

/** A stopped session dials nobody. */
function onStop(state: DialerState): DialerStep {
  if (!isLiveDialer(state)) return stay(state);
  const { phase, callId } = state;
  return {
    state: { ...state, status: "stopped", dueAt: null, pauseReason: null },
    commands: phase === "calling" && callId !== null ? [{ kind: "withdraw_call", callId }] : [],
  };
}

/**
 * The auto-dialer's rules as a pure state machine. The server stores the state and runs the commands; the browser shows the state. Events
 * that do not fit the state change nothing, so they may arrive late, twice or out of order. A lead is only dialed again if their phone
 * never rang.
 */
export function stepDialer(state: DialerState, event: DialerEvent): DialerStep {
  switch (event.type) {
    case "decision":
      return onDecision(state, event);
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
