import { newSid } from "../ids.ts";
import type { Clock } from "../state/clock.ts";
import type { Store, Table } from "../state/store.ts";
import type { Account } from "./account.ts";
import type { AccountNumbers } from "./account-numbers.ts";
import { childAnswered } from "./bridge.ts";
import { Exchange } from "./exchange.ts";
import { isEnded, type Leg, phoneOf, type Target } from "./leg.ts";
import { LegRunner } from "./leg-runner.ts";
import { newLeg } from "./new-leg.ts";
import type { Outbox } from "./outbox.ts";
import { callParams } from "./params.ts";
import { PHONE_TIMES, type Phones } from "./phones.ts";
import { endRecord } from "./record.ts";
import { recordingReady, recordingTranscribed } from "./recordings.ts";
import type { WebhookWay } from "./webhook-client.ts";

export type NewCall = Pick<
  Leg,
  | "to"
  | "from"
  | "document"
  | "twiml"
  | "fallback"
  | "callback"
  | "ringSeconds"
  | "timeLimitSeconds"
  | "machineDetection"
>;

/** One call is started per second and account; further ones are queued (facts of the vendor, in simulated time). */
const START_INTERVAL_MS = 1_000;
const INBOUND_LIMIT_SECONDS = 14_400;
/** Twilio lets a phone ring for about this much longer than the timeout. */
const EXTRA_RING_MS = 5_000;

interface EngineParts {
  store: Store;
  clock: Clock;
  phones: Phones;
  outbox: Outbox;
  account: Account;
  numbers: AccountNumbers;
  way: WebhookWay;
  onChange: () => void;
  /** Called when a lead opts out of calls. */
  onRefusal: (number: string) => void;
}

/**
 * Runs calls: every step is a saved state plus saved timers, so that a restart continues from there. A pending TwiML request is sent again
 * after a restart with the same idempotency token.
 */
export class CallEngine {
  readonly exchange: Exchange;
  readonly #store: Store;
  readonly #numbers: AccountNumbers;
  readonly #runner: LegRunner;
  readonly #pace: Table<{ nextStart: number }>;

  constructor(parts: EngineParts) {
    this.#store = parts.store;
    this.#numbers = parts.numbers;
    this.#pace = parts.store.table<{ nextStart: number }>("pace");
    this.exchange = new Exchange({ ...parts, onDue: (subject, kind) => this.#onDue(subject, kind) });
    this.#runner = new LegRunner(this.exchange, parts.store, parts.way);
  }

  /** Speed of Say. */
  get speech(): { msPerWord: number } {
    return this.#runner.speech;
  }

  /** Resumes the timers and requests of an earlier run, also of an earlier version. */
  start(): void {
    for (const leg of this.exchange.legs.values()) {
      leg.transcript ??= [];
      leg.asked ??= 0;
      leg.dials ??= 0;
    }
    this.exchange.timers.start();
    this.#runner.resume();
  }

  stop(): void {
    this.exchange.timers.stop();
    this.#runner.abort();
  }

  /** Removes every call without callbacks. */
  clear(): void {
    this.#runner.abort();
    for (const leg of this.exchange.live()) this.exchange.timers.clearAll(leg.sid);
    for (const recording of this.exchange.recordings.values()) this.exchange.timers.clearAll(recording.sid);
    this.exchange.legs.clear();
    this.exchange.recordings.clear();
    this.#pace.clear();
  }

  /** Creates a call through the REST API; it starts according to the account's rate limit. */
  create(call: NewCall): Leg {
    return this.#store.transaction(() => {
      const now = this.exchange.clock.now();
      const startAt = Math.max(now, this.#pace.get("account")?.nextStart ?? 0);
      this.#pace.set("account", { nextStart: startAt + START_INTERVAL_MS });
      const leg = newLeg({
        ...call,
        sid: newSid("CA"),
        parentSid: null,
        direction: "outbound-api",
        person: "rep",
        baseUrl: null,
        queuedMs: Math.round(startAt - now),
      });
      this.exchange.save(leg);
      this.exchange.timers.set(leg.sid, "dial", startAt - now);
      return leg;
    });
  }

  /** Receives a call to a number of the account, whose VoiceUrl controls it. Errors: a message if there is none. */
  receive(call: { from: string; to: string; says: string | null }): Leg {
    const { voice = null, voiceFallback = null, status = null } = this.#numbers.find(call.to) ?? {};
    if (!voice) throw new Error(`${call.to} has no VoiceUrl`);
    return this.#store.transaction(() => {
      const leg = newLeg({
        ...call,
        sid: newSid("CA"),
        parentSid: null,
        direction: "inbound",
        person: "caller",
        ringSeconds: 60,
        timeLimitSeconds: INBOUND_LIMIT_SECONDS,
        document: voice,
        fallback: voiceFallback,
        callback: status ? { ...status, events: ["completed"] } : null,
        machineDetection: null,
        baseUrl: null,
      });
      leg.status = "ringing";
      leg.startedAt = leg.createdAt;
      this.#runner.begin(leg);
      return leg;
    });
  }

  /** Ends a live call from the REST API: 'canceled' does not affect an answered call, 'completed' does. */
  stopCall(leg: Leg, status: "canceled" | "completed"): void {
    this.#store.transaction(() => {
      if (isEnded(leg)) return;
      if (leg.status === "in-progress") {
        if (status === "completed") this.#runner.endLeg(leg, "completed");
      } else {
        this.#runner.endLeg(leg, "canceled");
      }
    });
  }

  /** Redirects an answered call to other TwiML from the REST API. */
  redirect(leg: Leg, to: { target: Target } | { twiml: string }): void {
    this.#store.transaction(() => this.#runner.redirect(leg, to));
  }

  /** Answers the call on this phone. */
  answer(leg: Leg): void {
    this.#store.transaction(() => {
      if (leg.status !== "ringing" || leg.person === "caller") return;
      for (const kind of ["no-answer", "phone-answers"]) this.exchange.timers.clear(leg.sid, kind);
      leg.status = "in-progress";
      leg.answeredAt = this.exchange.clock.now();
      this.exchange.report(leg, "answered");
      this.exchange.timers.set(leg.sid, "time-limit", leg.timeLimitSeconds * 1_000);
      this.exchange.phoneAnswered(leg);
      if (leg.machineDetection) this.exchange.timers.set(leg.sid, "detection", this.#detectionMs(leg));
      if (leg.parentSid) childAnswered(this.#runner, leg);
      this.exchange.save(leg);
      if (!leg.machineDetection || leg.machineDetection.async) this.#runner.begin(leg);
    });
  }

  /** Presses keys on this phone: they are input for a Gather; the star ends a Dial that allows it. */
  press(leg: Leg, digits: string): void {
    this.#store.transaction(() => {
      for (const digit of digits) this.#runner.press(leg, digit);
    });
  }

  /** Hangs up this phone, or declines while it rings. */
  hangUp(leg: Leg): void {
    this.#store.transaction(() => {
      if (leg.status === "in-progress") this.#runner.endLeg(leg, "completed");
      else if (leg.status === "ringing")
        this.#runner.endLeg(leg, leg.person === "caller" ? "no-answer" : "busy");
    });
  }

  /** A phone is automatic again: it continues from its current state. */
  resumePhones(): void {
    for (const leg of this.exchange.live()) {
      if (leg.status === "ringing") this.exchange.phoneRings(leg);
      else if (leg.activity === "gathering") this.exchange.phoneAsked(leg);
      else if (leg.activity === "recording") this.exchange.phoneRecorded(leg);
      else if (leg.activity === "bridged" && leg.person !== "rep") this.exchange.phoneConnected(leg);
    }
  }

  #onDue(subject: string, kind: string): void {
    if (kind === "ready") recordingReady(this.exchange, subject);
    if (kind === "transcribed") recordingTranscribed(this.exchange, subject);
    const leg = this.exchange.legs.get(subject);
    if (!leg || isEnded(leg)) return;
    const alone = this.exchange.phones.actsAlone(phoneOf(leg));
    const steps: Record<string, () => void> = {
      dial: () => this.#dial(leg),
      ring: () => this.#ring(leg),
      busy: () => this.#runner.endLeg(leg, "busy"),
      unroutable: () => this.#runner.endLeg(leg, "failed"),
      "no-answer": () => this.#runner.endLeg(leg, "no-answer"),
      "phone-answers": () => alone && this.answer(leg),
      "phone-presses": () => alone && this.press(leg, this.exchange.keysOf(leg)),
      "phone-presses-star": () => alone && leg.dial?.bridged && this.press(leg, "*"),
      "phone-hangs-up": () => alone && this.hangUp(leg),
      detection: () => this.#detected(leg),
      step: () => this.#runner.spoken(leg),
      said: () => this.#runner.said(leg),
      gather: () => this.#runner.endGather(leg),
      "record-limit": () => endRecord(this.#runner, leg, ""),
      "dial-limit": () => this.#runner.endBridge(leg),
      "time-limit": () => this.#runner.endLeg(leg, "completed"),
    };
    steps[kind]?.();
  }

  #dial(leg: Leg): void {
    const { phones, timers } = this.exchange;
    leg.startedAt = Date.now();
    leg.sipCode = phones.get(leg.to)?.sip;
    this.exchange.report(leg, "initiated");
    this.exchange.save(leg);
    if (phones.isInvalid(leg.to) || leg.sipCode !== undefined)
      timers.set(leg.sid, "unroutable", PHONE_TIMES.setUp);
    else if (phones.actsAlone(leg.to) && phones.behaviourOf(leg.to) === "busy") {
      timers.set(leg.sid, "busy", PHONE_TIMES.busyTone);
    } else timers.set(leg.sid, "ring", PHONE_TIMES.setUp);
  }

  #ring(leg: Leg): void {
    leg.status = "ringing";
    leg.activity = "ringing";
    this.exchange.report(leg, "ringing");
    const ringMs = leg.ringSeconds * 1_000 + EXTRA_RING_MS;
    this.exchange.timers.set(leg.sid, "no-answer", this.exchange.patience(leg, ringMs));
    this.exchange.phoneRings(leg);
    this.exchange.save(leg);
  }

  #detectionMs(leg: Leg): number {
    const machine = this.exchange.phones.behaviourOf(leg.to) === "voicemail";
    const waitsForBeep = machine && leg.machineDetection?.mode === "DetectMessageEnd";
    return waitsForBeep ? PHONE_TIMES.hearsBeep : PHONE_TIMES.detectsPerson;
  }

  #detected(leg: Leg): void {
    const { machineDetection } = leg;
    if (!machineDetection) return;
    const machine =
      this.exchange.phones.actsAlone(leg.to) && this.exchange.phones.behaviourOf(leg.to) === "voicemail";
    const asMachine = machineDetection.mode === "Enable" ? "machine_start" : "machine_end_beep";
    leg.answeredBy = machine ? asMachine : "human";
    this.exchange.save(leg);
    if (machineDetection.callback) {
      const params = {
        CallSid: leg.sid,
        AccountSid: callParams(leg).AccountSid ?? "",
        AnsweredBy: leg.answeredBy,
        MachineDetectionDuration: String(this.#detectionMs(leg)),
        ...(leg.parentSid ? { ParentCallSid: leg.parentSid } : {}),
      };
      this.exchange.outbox.post(
        leg.sid,
        machineDetection.callback,
        this.exchange.account.withAccount(params),
      );
    }
    if (!machineDetection.async) this.#runner.begin(leg);
  }
}
