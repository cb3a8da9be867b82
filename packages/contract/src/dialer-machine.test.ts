import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DialerCallFacts,
  type DialerCommand,
  type DialerEvent,
  type DialerState,
  isLiveDialer,
  startDialer,
  stepDialer,
} from "./dialer-machine.ts";
import { callResults } from "./entities/call.ts";

/** A session with everything that was asked of the server so far. */
class Session {
  state: DialerState;
  commands: DialerCommand[];
  now = 0;

  constructor(input: { total?: number; autoDial?: boolean; delaySeconds?: number } = {}) {
    const first = startDialer({ total: 3, autoDial: true, delaySeconds: 5, ...input });
    this.state = first.state;
    this.commands = first.commands;
  }

  tell(event: DialerEvent): this {
    const step = stepDialer(this.state, event);
    this.state = step.state;
    this.commands.push(...step.commands);
    return this;
  }

  requested(callId: number): this {
    const { position } = this.state;
    return this.tell({ type: "verdict", position, verdict: { kind: "requested", callId }, now: this.now });
  }

  call(facts: Partial<DialerCallFacts> & { callId: number }): this {
    const none = { ended: false, result: null, leadReached: false, outcomeKnown: false, confirmed: false };
    return this.tell({ type: "call", facts: { ...none, ...facts }, now: this.now });
  }

  answered(callId: number): this {
    return this.call({ callId, ended: true, result: "answered", leadReached: true, outcomeKnown: true });
  }

  saved(callId: number): this {
    return this.call({ callId, ended: true, result: "answered", leadReached: true, confirmed: true });
  }

  dialled(): number[] {
    return this.commands
      .filter(({ kind }) => kind === "dial")
      .map((command) => (command as { position: number }).position);
  }
}

describe("a calling session", () => {
  it("takes the call back that it stops in, and no other", () => {
    expect(new Session().requested(1).tell({ type: "stop" }).commands.at(-1)).toEqual({
      kind: "withdraw_call",
      callId: 1,
    });
    const wrapsUp = new Session().requested(1).answered(1).tell({ type: "stop" });
    expect(wrapsUp.commands.map(({ kind }) => kind)).toEqual(["dial"]);
  });

  it("rings at once, waits for the outcome, then counts down from the saved wrap-up", () => {
    const session = new Session().requested(1);
    expect(session.dialled()).toEqual([0]);
    session.answered(1);
    expect(session.state).toMatchObject({ phase: "wrap_up", position: 0, dueAt: null });
    session.now = 60_000;
    session.tell({ type: "tick", now: 60_000 });
    expect(session.dialled()).toEqual([0]);
    session.saved(1);
    expect(session.state).toMatchObject({ phase: "countdown", position: 1, dueAt: 65_000 });
    session.tell({ type: "tick", now: 64_999 });
    expect(session.dialled()).toEqual([0]);
    session.tell({ type: "tick", now: 65_000 });
    expect(session.dialled()).toEqual([0, 1]);
  });

  it("dials nothing while the consultant types", () => {
    const session = new Session().requested(1).saved(1);
    session.tell({ type: "typing", now: 4_000 }).tell({ type: "tick", now: 5_500 });
    expect(session.state.phase).toBe("countdown");
    session.tell({ type: "tick", now: 7_000 });
    expect(session.state.phase).toBe("checking");
  });

  it("waits for Call now each time with auto dial off, and on Hold", () => {
    const byHand = new Session({ autoDial: false }).requested(1).saved(1);
    expect(byHand.state).toMatchObject({ status: "active", phase: "waiting", position: 1 });
    byHand.tell({ type: "tick", now: 1e9 });
    expect(byHand.dialled()).toEqual([0]);
    byHand.tell({ type: "call_now", position: 0 });
    expect(byHand.dialled()).toEqual([0]);
    byHand.tell({ type: "call_now", position: 1 }).tell({ type: "call_now", position: 1 });
    expect(byHand.dialled()).toEqual([0, 1]);

    const held = new Session().requested(1).saved(1).tell({ type: "hold", position: 1 });
    held.tell({ type: "tick", now: 6_000 });
    expect(held.state.phase).toBe("waiting");
  });

  it("goes straight past leads that may not be called, and ends after the last", () => {
    const session = new Session();
    const skip = { kind: "skip", reason: "opted_out" } as const;
    for (const position of [0, 1]) session.tell({ type: "verdict", position, verdict: skip, now: 0 });
    expect(session.dialled()).toEqual([0, 1, 2]);
    session.tell({ type: "verdict", position: 2, verdict: skip, now: 0 });
    expect(session.state).toMatchObject({ status: "completed", position: 3 });
    expect(session.commands.filter(({ kind }) => kind === "settle")).toHaveLength(3);
  });

  it("goes on after a lead that could not be called", () => {
    const session = new Session().requested(1).call({ callId: 1, ended: true, result: "failed" });
    expect(session.state).toMatchObject({ phase: "countdown", position: 1 });
    expect(session.commands).toContainEqual({ kind: "settle", position: 0, as: "failed" });
  });

  it("pauses when call after call cannot be made", () => {
    const session = new Session({ total: 9 });
    for (const callId of [1, 2, 3]) {
      session.requested(callId).call({ callId, ended: true, result: "failed" });
      session.tell({ type: "call_now", position: session.state.position });
    }
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "provider", position: 3 });
    expect(session.dialled()).toEqual([0, 1, 2]);
  });

  it("pauses at the second unanswered ring of the consultant's own phone, with the lead still to call", () => {
    const session = new Session().requested(1).call({ callId: 1, ended: true, result: "rep_not_reached" });
    expect(session.state).toMatchObject({ phase: "countdown", position: 0 });
    session.tell({ type: "tick", now: 5_000 }).requested(2);
    session.call({ callId: 2, ended: true, result: "not_confirmed" });
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "rep_not_answering", position: 0 });
    session.tell({ type: "resume" });
    expect(session.dialled()).toEqual([0, 0, 0]);
  });

  it("resumes with the current lead if it was not dialled, otherwise with the next", () => {
    const before = new Session().requested(1).saved(1).tell({ type: "pause", reason: "consultant" });
    before.tell({ type: "resume" });
    expect(before.dialled()).toEqual([0, 1]);

    const during = new Session().requested(1).tell({ type: "pause", reason: "consultant" });
    during.answered(1).saved(1);
    expect(during.state).toMatchObject({ status: "paused", phase: "waiting", position: 1 });
    during.tell({ type: "tick", now: 1e6 });
    expect(during.dialled()).toEqual([0]);
    during.tell({ type: "resume" });
    expect(during.dialled()).toEqual([0, 1]);
  });

  it("ends the call that is skipped, and needs no outcome where the provider knows one", () => {
    const skip = { type: "skip", position: 0, outcomeKnown: true, now: 0 } as const;
    const session = new Session().requested(1).tell(skip).tell(skip);
    expect(session.commands.filter(({ kind }) => kind === "end_call")).toEqual([
      { kind: "end_call", callId: 1 },
    ]);
    const known = {
      callId: 1,
      ended: true,
      leadReached: true,
      result: "no_answer",
      outcomeKnown: true,
    } as const;
    session.call(known);
    expect(session.state).toMatchObject({ phase: "countdown", position: 1 });

    const unclear = new Session().requested(1).tell(skip);
    unclear.call({ callId: 1, ended: true, leadReached: true, result: "unclear" });
    expect(unclear.state.phase).toBe("wrap_up");
    unclear.tell({ ...skip, outcomeKnown: false });
    expect(unclear.state.phase).toBe("wrap_up");
  });

  it("counts a skip that is sent twice once", () => {
    const session = new Session().requested(1).saved(1);
    const skip = { type: "skip", position: 1, outcomeKnown: false, now: 0 } as const;
    session.tell(skip).tell(skip);
    expect(session.state).toMatchObject({ position: 2, phase: "countdown" });
  });

  it("pauses instead of ringing when a countdown ended long ago", () => {
    const session = new Session().requested(1).saved(1).tell({ type: "tick", now: 60_000 });
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "interrupted", position: 1 });
    expect(session.dialled()).toEqual([0]);
  });
});

const pauseReason = fc.constantFrom("consultant", "left", "nobody_listening", "interrupted" as const);
const position = fc.integer({ min: 0, max: 4 });
const instant = fc.integer({ min: 0, max: 400_000 });
const verdict = fc.oneof(
  fc.record({ kind: fc.constantFrom("requested", "reached"), callId: fc.integer({ min: 1, max: 9 }) }),
  fc.constant({ kind: "skip" as const, reason: "opted_out" as const }),
  fc.constant({ kind: "failed" as const }),
  instant.map((at) => ({ kind: "later" as const, at })),
  pauseReason.map((reason) => ({ kind: "pause" as const, reason })),
);
const facts = fc.record({
  callId: fc.integer({ min: 1, max: 9 }),
  ended: fc.boolean(),
  result: fc.constantFrom(null, ...callResults),
  leadReached: fc.boolean(),
  outcomeKnown: fc.boolean(),
  confirmed: fc.boolean(),
});
const anyEvent: fc.Arbitrary<DialerEvent> = fc.oneof(
  fc.record({ type: fc.constant("verdict" as const), position, verdict, now: instant }),
  fc.record({ type: fc.constant("call" as const), facts, now: instant }),
  fc.record({ type: fc.constant("tick" as const), now: instant }),
  fc.record({ type: fc.constant("pause" as const), reason: pauseReason }),
  fc.constantFrom<DialerEvent>({ type: "resume" }, { type: "stop" }),
  fc.record({ type: fc.constant("skip" as const), position, outcomeKnown: fc.boolean(), now: instant }),
  fc.record({ type: fc.constant("call_now" as const), position }),
  fc.record({ type: fc.constant("hold" as const), position }),
  fc.record({ type: fc.constant("typing" as const), now: instant }),
);

/** Follows what the events and commands mean outside: which calls are live, whose phone rang. */
function follow(events: DialerEvent[], autoDial: boolean) {
  const session = new Session({ total: 4, autoDial });
  const reached = new Set<number>();
  for (const event of events) {
    const before = session.state;
    const asked = session.commands.length;
    session.tell(event);
    const commands = session.commands.slice(asked);
    const dials = commands.filter((command) => command.kind === "dial");
    if (event.type === "call" && event.facts.leadReached && before.callId === event.facts.callId) {
      if (session.state.phase === "wrap_up" || session.state.position > before.position)
        reached.add(before.position);
    }
    if (event.type === "verdict" && before !== session.state && event.verdict.kind === "reached") {
      reached.add(before.position);
    }
    // Nothing rings while a call is in hand, twice in one step, or for a lead whose phone rang.
    expect(dials.length).toBeLessThanOrEqual(1);
    for (const { position: dialled } of dials) {
      expect(reached.has(dialled)).toBe(false);
      expect(session.state).toMatchObject({
        status: "active",
        phase: "checking",
        position: dialled,
        callId: null,
      });
    }
    if (dials.length > 0) expect(["calling", "wrap_up"]).not.toContain(before.phase);
    expect(session.state.position).toBeGreaterThanOrEqual(before.position);
    if (event.type === "call" && !event.facts.ended) expect(session.state).toEqual(before);
    if (!isLiveDialer(before)) expect(session.state).toEqual(before);
    const { phase, callId, dueAt, status } = session.state;
    expect(callId !== null).toBe(phase === "calling" || phase === "wrap_up");
    expect(dueAt !== null && isLiveDialer(session.state)).toBe(phase === "countdown" && status === "active");
  }
  return session;
}

describe("in any order of events", () => {
  it("nothing rings twice, and nothing moves after the end", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, autoDial) => {
        follow(events, autoDial);
      }),
      { numRuns: 2_000 },
    );
  });

  it("every session reaches paused or completed once its browser is gone and its call is done", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, autoDial) => {
        const session = follow(events, autoDial);
        session.tell({ type: "pause", reason: "nobody_listening" });
        if (session.state.callId !== null) session.saved(session.state.callId);
        expect(["paused", "completed", "stopped"]).toContain(session.state.status);
        expect(["calling", "wrap_up"]).not.toContain(isLiveDialer(session.state) ? session.state.phase : "");
      }),
      { numRuns: 1_000 },
    );
  });

  it("a consultant who answers everything works each lead once, in order", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const session = follow(
          events.filter(({ type }) => type !== "stop"),
          true,
        );
        let callId = 100;
        for (let turn = 0; turn < 50 && session.state.status !== "completed"; turn += 1) {
          const { state } = session;
          if (state.status === "paused") session.tell({ type: "resume" });
          else if (state.phase === "checking") session.requested(callId++);
          else if (state.callId !== null) session.saved(state.callId);
          else session.tell({ type: "call_now", position: state.position });
        }
        expect(session.state).toMatchObject({ status: "completed", position: 4 });
        const settled = session.commands.flatMap((command) =>
          command.kind === "settle" ? [command.position] : [],
        );
        expect(settled).toEqual([0, 1, 2, 3]);
      }),
      { numRuns: 1_000 },
    );
  });
});
