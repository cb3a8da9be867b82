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

/** A session with all commands sent to the server so far. */
class Session {
  state: DialerState;
  commands: DialerCommand[];
  now = 0;

  constructor(input: { total?: number; autoDial?: boolean; delaySeconds?: number } = {}) {
    const first = startDialer({ total: 3, autoDial: true, delaySeconds: 5, ...input });
    this.state = first.state;
    this.commands = first.commands;
  }

  apply(event: DialerEvent): this {
    const step = stepDialer(this.state, event);
    this.state = step.state;
    this.commands.push(...step.commands);
    return this;
  }

  requested(callId: number): this {
    const { position } = this.state;
    return this.apply({ type: "decision", position, decision: { kind: "requested", callId }, now: this.now });
  }

  call(facts: Partial<DialerCallFacts> & { callId: number }): this {
    const none = { ended: false, result: null, leadReached: false, outcomeKnown: false, confirmed: false };
    return this.apply({ type: "call", facts: { ...none, ...facts }, now: this.now });
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

describe("a dialer session", () => {
  it("withdraws the ringing call when it stops, and no other", () => {
    expect(new Session().requested(1).apply({ type: "stop" }).commands.at(-1)).toEqual({
      kind: "withdraw_call",
      callId: 1,
    });
    const wrapsUp = new Session().requested(1).answered(1).apply({ type: "stop" });
    expect(wrapsUp.commands.map(({ kind }) => kind)).toEqual(["dial"]);
  });

  it("dials at once, waits for the outcome, then counts down from the saved wrap-up", () => {
    const session = new Session().requested(1);
    expect(session.dialled()).toEqual([0]);
    session.answered(1);
    expect(session.state).toMatchObject({ phase: "wrap_up", position: 0, dueAt: null });
    session.now = 60_000;
    session.apply({ type: "tick", now: 60_000 });
    expect(session.dialled()).toEqual([0]);
    session.saved(1);
    expect(session.state).toMatchObject({ phase: "countdown", position: 1, dueAt: 65_000 });
    session.apply({ type: "tick", now: 64_999 });
    expect(session.dialled()).toEqual([0]);
    session.apply({ type: "tick", now: 65_000 });
    expect(session.dialled()).toEqual([0, 1]);
  });

  it("does not dial while the consultant types", () => {
    const session = new Session().requested(1).saved(1);
    session.apply({ type: "typing", now: 4_000 }).apply({ type: "tick", now: 5_500 });
    expect(session.state.phase).toBe("countdown");
    session.apply({ type: "tick", now: 7_000 });
    expect(session.state.phase).toBe("checking");
  });

  it("waits for Call now before each call with auto dial off, and on Hold", () => {
    const byHand = new Session({ autoDial: false }).requested(1).saved(1);
    expect(byHand.state).toMatchObject({ status: "active", phase: "waiting", position: 1 });
    byHand.apply({ type: "tick", now: 1e9 });
    expect(byHand.dialled()).toEqual([0]);
    byHand.apply({ type: "call_now", position: 0 });
    expect(byHand.dialled()).toEqual([0]);
    byHand.apply({ type: "call_now", position: 1 }).apply({ type: "call_now", position: 1 });
    expect(byHand.dialled()).toEqual([0, 1]);

    const held = new Session().requested(1).saved(1).apply({ type: "hold", position: 1 });
    held.apply({ type: "tick", now: 6_000 });
    expect(held.state.phase).toBe("waiting");
  });

  it("skips leads that may not be called, and completes after the last one", () => {
    const session = new Session();
    const skip = { kind: "skip", reason: "opted_out" } as const;
    for (const position of [0, 1]) session.apply({ type: "decision", position, decision: skip, now: 0 });
    expect(session.dialled()).toEqual([0, 1, 2]);
    session.apply({ type: "decision", position: 2, decision: skip, now: 0 });
    expect(session.state).toMatchObject({ status: "completed", position: 3 });
    expect(session.commands.filter(({ kind }) => kind === "settle")).toHaveLength(3);
  });

  it("continues after a lead that could not be called", () => {
    const session = new Session().requested(1).call({ callId: 1, ended: true, result: "failed" });
    expect(session.state).toMatchObject({ phase: "countdown", position: 1 });
    expect(session.commands).toContainEqual({ kind: "settle", position: 0, as: "failed" });
  });

  it("pauses after repeated failed calls", () => {
    const session = new Session({ total: 9 });
    for (const callId of [1, 2, 3]) {
      session.requested(callId).call({ callId, ended: true, result: "failed" });
      session.apply({ type: "call_now", position: session.state.position });
    }
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "provider", position: 3 });
    expect(session.dialled()).toEqual([0, 1, 2]);
  });

  it("pauses at the second unanswered ring of the consultant's phone, and keeps the lead", () => {
    const session = new Session().requested(1).call({ callId: 1, ended: true, result: "rep_not_reached" });
    expect(session.state).toMatchObject({ phase: "countdown", position: 0 });
    session.apply({ type: "tick", now: 5_000 }).requested(2);
    session.call({ callId: 2, ended: true, result: "not_confirmed" });
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "rep_not_answering", position: 0 });
    session.apply({ type: "resume", position: 0 });
    expect(session.dialled()).toEqual([0, 0, 0]);
  });

  it("resumes with the current lead if it was not dialed, otherwise with the next", () => {
    const before = new Session().requested(1).saved(1).apply({ type: "pause", reason: "consultant" });
    before.apply({ type: "resume", position: 1 });
    expect(before.dialled()).toEqual([0, 1]);

    const during = new Session().requested(1).apply({ type: "pause", reason: "consultant" });
    during.answered(1).saved(1);
    expect(during.state).toMatchObject({ status: "paused", phase: "waiting", position: 1 });
    during.apply({ type: "tick", now: 1e6 });
    expect(during.dialled()).toEqual([0]);
    during.apply({ type: "resume", position: 1 });
    expect(during.dialled()).toEqual([0, 1]);
  });

  it("ends a skipped call, and asks for no outcome where the provider reports one", () => {
    const skip = { type: "skip", position: 0, outcomeKnown: true, now: 0 } as const;
    const session = new Session().requested(1).apply(skip).apply(skip);
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

    const unclear = new Session().requested(1).apply(skip);
    unclear.call({ callId: 1, ended: true, leadReached: true, result: "unclear" });
    expect(unclear.state.phase).toBe("wrap_up");
    unclear.apply({ ...skip, outcomeKnown: false });
    expect(unclear.state.phase).toBe("wrap_up");
  });

  it("counts a repeated skip once", () => {
    const session = new Session().requested(1).saved(1);
    const skip = { type: "skip", position: 1, outcomeKnown: false, now: 0 } as const;
    session.apply(skip).apply(skip);
    expect(session.state).toMatchObject({ position: 2, phase: "countdown" });
  });

  it("skips a lead while it is checked and while the consultant's phone rings", () => {
    const checking = new Session().apply({ type: "skip", position: 0, outcomeKnown: false, now: 0 });
    expect(checking.state).toMatchObject({ phase: "countdown", position: 1 });
    // The pending dial decision arrives too late.
    checking.apply({ type: "decision", position: 0, decision: { kind: "requested", callId: 1 }, now: 0 });
    expect(checking.state).toMatchObject({ phase: "countdown", position: 1, callId: null });
  });

  it("dials nobody for a command about another lead", () => {
    const session = new Session().requested(1).saved(1).apply({ type: "pause", reason: "consultant" });
    session.apply({ type: "resume", position: 0 });
    expect(session.state).toMatchObject({ status: "paused", position: 1 });
    expect(session.dialled()).toEqual([0]);
  });

  it("skips leads before their turn without stopping the countdown, and completes when none is left", () => {
    const session = new Session({ total: 4 }).requested(1).saved(1);
    const before = session.state;
    session.apply({ type: "pass_over", position: 1, reasons: ["opted_out", "tried_recently"], now: 1 });
    expect(session.state).toEqual({ ...before, position: 3 });
    expect(session.commands.slice(-2)).toEqual([
      { kind: "settle", position: 1, as: "skipped", reason: "opted_out" },
      { kind: "settle", position: 2, as: "skipped", reason: "tried_recently" },
    ]);
    session.apply({ type: "pass_over", position: 3, reasons: ["opted_out"], now: 1 });
    expect(session.state).toMatchObject({ status: "completed", position: 4, dueAt: null });
  });

  it("pauses instead of dialing when the countdown ended long ago", () => {
    const session = new Session().requested(1).saved(1).apply({ type: "tick", now: 60_000 });
    expect(session.state).toMatchObject({ status: "paused", pauseReason: "interrupted", position: 1 });
    expect(session.dialled()).toEqual([0]);
  });
});

const pauseReason = fc.constantFrom("consultant", "left", "nobody_listening", "interrupted" as const);
const position = fc.integer({ min: 0, max: 4 });
const instant = fc.integer({ min: 0, max: 400_000 });
const decision = fc.oneof(
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
  fc.record({ type: fc.constant("decision" as const), position, decision, now: instant }),
  fc.record({ type: fc.constant("call" as const), facts, now: instant }),
  fc.record({ type: fc.constant("tick" as const), now: instant }),
  fc.record({ type: fc.constant("pause" as const), reason: pauseReason }),
  fc.constant<DialerEvent>({ type: "stop" }),
  fc.record({ type: fc.constant("resume" as const), position }),
  fc.record({
    type: fc.constant("pass_over" as const),
    position,
    reasons: fc.array(fc.constant("opted_out" as const), { maxLength: 5 }),
    now: instant,
  }),
  fc.record({ type: fc.constant("skip" as const), position, outcomeKnown: fc.boolean(), now: instant }),
  fc.record({ type: fc.constant("call_now" as const), position }),
  fc.record({ type: fc.constant("hold" as const), position }),
  fc.record({ type: fc.constant("typing" as const), now: instant }),
);

/** Tracks the effects of events and commands: which calls are live and whose phone rang. */
function follow(events: DialerEvent[], autoDial: boolean) {
  const session = new Session({ total: 4, autoDial });
  const reached = new Set<number>();
  for (const event of events) {
    const before = session.state;
    const asked = session.commands.length;
    session.apply(event);
    const commands = session.commands.slice(asked);
    const dials = commands.filter((command) => command.kind === "dial");
    if (event.type === "call" && event.facts.leadReached && before.callId === event.facts.callId) {
      if (session.state.phase === "wrap_up" || session.state.position > before.position)
        reached.add(before.position);
    }
    if (event.type === "decision" && before !== session.state && event.decision.kind === "reached") {
      reached.add(before.position);
    }
    // No dial during a call, twice in one step, or for a lead whose phone rang.
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

describe("events in any order", () => {
  it("never ring a lead twice and change nothing after the session ends", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, autoDial) => {
        follow(events, autoDial);
      }),
      { numRuns: 2_000 },
    );
  });

  it("lead every session to paused or completed once its browser is closed and its call has ended", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, autoDial) => {
        const session = follow(events, autoDial);
        session.apply({ type: "pause", reason: "nobody_listening" });
        if (session.state.callId !== null) session.saved(session.state.callId);
        expect(["paused", "completed", "stopped"]).toContain(session.state.status);
        expect(["calling", "wrap_up"]).not.toContain(isLiveDialer(session.state) ? session.state.phase : "");
      }),
      { numRuns: 1_000 },
    );
  });

  it("let a consultant who answers every call work each lead once, in order", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const session = follow(
          events.filter(({ type }) => type !== "stop"),
          true,
        );
        let callId = 100;
        for (let turn = 0; turn < 50 && session.state.status !== "completed"; turn += 1) {
          const { state } = session;
          if (state.status === "paused") session.apply({ type: "resume", position: state.position });
          else if (state.phase === "checking") session.requested(callId++);
          else if (state.callId !== null) session.saved(state.callId);
          else session.apply({ type: "call_now", position: state.position });
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

type Said = "pause" | "resume" | "stop" | "skip" | "call_now" | "hold" | "outcome";
type Happens = "dialled" | "own phone answered" | "call ends" | "heard" | "time passes";

/** Simulates the server and the provider around a session, step by step: whose phone rings and which calls are being withdrawn. */
class World {
  readonly session = new Session({ total: 3 });
  readonly rung = new Set<number>();
  private call: { id: number; position: number; stage: "own" | "lead" | "ended"; taken: boolean } | null =
    null;
  private asked: number | null = 0;
  private lastId = 0;

  private apply(event: DialerEvent): void {
    const { commands } = this.session;
    const known = commands.length;
    this.session.apply(event);
    for (const command of commands.slice(known)) {
      if (command.kind === "dial") this.asked = command.position;
      const { call } = this;
      if ((command.kind === "end_call" || command.kind === "withdraw_call") && call?.id === command.callId) {
        if (call.stage === "own" || command.kind === "end_call") call.taken = true;
      }
    }
  }

  say(word: Said, position: number): void {
    const { now, call } = { now: this.session.now, call: this.call };
    const outcomeKnown = call?.stage === "ended" && this.rung.has(call.position);
    if (word === "pause") this.apply({ type: "pause", reason: "consultant" });
    else if (word === "stop") this.apply({ type: "stop" });
    else if (word === "skip") this.apply({ type: "skip", position, outcomeKnown, now });
    else if (word === "outcome") this.hear(true);
    else this.apply({ type: word, position });
  }

  happens(what: Happens): void {
    const { call, session } = this;
    if (what === "dialled" && this.asked !== null) {
      const { asked } = this;
      this.asked = null;
      // One transaction checks whether the session still waits for this call, and creates it.
      const { status, phase, position } = session.state;
      if (status !== "active" || phase !== "checking" || position !== asked) return;
      this.lastId += 1;
      this.call = { id: this.lastId, position: asked, stage: "own", taken: false };
      session.requested(this.lastId);
    } else if (what === "own phone answered" && call?.stage === "own") {
      if (call.taken) call.stage = "ended";
      else {
        call.stage = "lead";
        this.rung.add(call.position);
      }
    } else if (what === "call ends" && call) call.stage = "ended";
    else if (what === "heard") this.hear(false);
    else if (what === "time passes") {
      session.now += 2_000;
      this.apply({ type: "tick", now: session.now });
    }
  }

  private hear(confirmed: boolean): void {
    const { call, session } = this;
    if (!call) return;
    const reached = this.rung.has(call.position);
    const result = reached ? "no_answer" : call.taken ? "canceled" : "rep_not_reached";
    const ended = call.stage === "ended";
    const facts = {
      result,
      leadReached: reached,
      outcomeKnown: reached,
      confirmed: confirmed && reached,
    } as const;
    this.apply({ type: "call", facts: { ...facts, callId: call.id, ended }, now: session.now });
  }
}

describe("commands in any order, with any events in between", () => {
  const said = fc.constantFrom<Said>(
    "pause",
    "resume",
    "stop",
    "skip",
    "skip",
    "call_now",
    "hold",
    "outcome",
  );
  const happens = fc.array(
    fc.constantFrom<Happens>("dialled", "own phone answered", "call ends", "heard", "time passes"),
    { maxLength: 4 },
  );
  it("take effect at once: a skipped lead never rings, and nobody rings after Pause or Stop", () => {
    fc.assert(
      fc.property(happens, fc.array(fc.tuple(said, happens), { maxLength: 12 }), (first, turns) => {
        const world = new World();
        for (const what of first) world.happens(what);
        for (const [word, gap] of turns) {
          const before = world.session.state;
          const dials = world.session.dialled().length;
          const rung = new Set(world.rung);
          world.say(word, before.position);
          const { state } = world.session;
          const isLive = isLiveDialer(before);
          if (word === "skip" && isLive && before.phase !== "wrap_up")
            expect(state.position > before.position || state.skipping).toBe(true);
          if (word === "stop" && isLive) expect(state.status).toBe("stopped");
          if (word === "pause" && isLive && before.status === "active") expect(state.status).toBe("paused");
          if (word === "resume" && before.status === "paused") expect(state.status).toBe("active");
          for (const what of gap) world.happens(what);
          // A click meant for the previous lead does not apply to this one.
          const after = world.session.state;
          if (after.position > before.position) {
            world.say("skip", before.position);
            expect(world.session.state).toEqual(after);
          }
          if (word === "pause" && isLive) expect(world.session.dialled()).toHaveLength(dials);
          const newly = [...world.rung].filter((position) => !rung.has(position));
          if (word === "skip" && isLive) expect(newly).not.toContain(before.position);
          if (word === "stop" && isLive) expect(newly).toEqual([]);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
