import { newSid } from "../ids.ts";
import type { Clock } from "../state/clock.ts";
import type { Store, Table } from "../state/store.ts";
import { abandonDial, bridge, childAnswered, childEnded, type DialHost, startDial } from "./bridge.ts";
import { type FetchedDocument, fetchDocument, pendingFetch, readTwiml } from "./documents.ts";
import { Exchange } from "./exchange.ts";
import { isEnded, type Leg, type Target } from "./leg.ts";
import { newLeg } from "./new-leg.ts";
import type { Outbox } from "./outbox.ts";
import { callParams } from "./params.ts";
import { PHONE_TIMES, type Phones } from "./phones.ts";
import { recordingReady } from "./recordings.ts";
import { gatherOf, isSpeech, resolveUrl, utterance } from "./speech.ts";
import type { TwimlNode } from "./twiml.ts";

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

/** One call is started per second and account; the rest waits (facts of the vendor, in simulated time). */
const START_INTERVAL_MS = 1_000;
/** Twilio lets a phone ring about this much longer than the timeout says. */
const EXTRA_RING_MS = 5_000;
const APOLOGY = "We are sorry, an application error has occurred. Goodbye.";
const HANG_UP: TwimlNode = { name: "Hangup", attributes: {}, text: "", children: [] };

interface EngineParts {
  store: Store;
  clock: Clock;
  phones: Phones;
  outbox: Outbox;
  authToken: string;
  onChange: () => void;
}

/**
 * Runs calls: every step is a saved state plus saved timers, so that a restart continues where it stopped.
 * A TwiML request under way when the process dies is sent again with the same idempotency token.
 */
export class CallEngine implements DialHost {
  readonly exchange: Exchange;
  readonly #store: Store;
  readonly #authToken: string;
  readonly #pace: Table<{ nextStart: number }>;
  #stopping = new AbortController();

  constructor(parts: EngineParts) {
    this.#store = parts.store;
    this.#authToken = parts.authToken;
    this.#pace = parts.store.table<{ nextStart: number }>("pace");
    this.exchange = new Exchange({ ...parts, onDue: (subject, kind) => this.#onDue(subject, kind) });
  }

  /** Takes up the timers and requests of an earlier run. */
  start(): void {
    this.exchange.timers.start();
    for (const leg of this.exchange.live()) if (leg.fetch) this.#fetch(leg);
  }

  stop(): void {
    this.exchange.timers.stop();
    this.#stopping.abort();
  }

  /** Forgets every call without telling anyone. */
  clear(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    for (const leg of this.exchange.live()) this.exchange.timers.clearAll(leg.sid);
    for (const recording of this.exchange.recordings.values()) this.exchange.timers.clearAll(recording.sid);
    this.exchange.legs.clear();
    this.exchange.recordings.clear();
    this.#pace.clear();
  }

  /** A call made through the REST API; it starts when the account's turn comes. */
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
        baseUrl: null,
        queuedMs: Math.round(startAt - now),
      });
      this.exchange.save(leg);
      this.exchange.timers.set(leg.sid, "dial", startAt - now);
      return leg;
    });
  }

  /** Ends a live call from the REST API: 'canceled' leaves an answered call alone, 'completed' does not. */
  stopCall(leg: Leg, status: "canceled" | "completed"): void {
    this.#store.transaction(() => {
      if (isEnded(leg)) return;
      if (leg.status === "in-progress") {
        if (status === "completed") this.endLeg(leg, "completed");
      } else {
        this.endLeg(leg, "canceled");
      }
    });
  }

  /** Gives an answered call other TwiML from the REST API. */
  redirect(leg: Leg, to: { target: Target } | { twiml: string }): void {
    this.#store.transaction(() => {
      for (const kind of ["step", "gather", "phone-presses"]) this.exchange.timers.clear(leg.sid, kind);
      leg.gather = null;
      abandonDial(this, leg, false);
      if ("target" in to) this.load(leg, to.target, callParams(leg));
      else this.#onDocument(leg, readTwiml(to.twiml, leg.baseUrl ?? ""));
    });
  }

  /** Someone takes the call on this phone. */
  answer(leg: Leg): void {
    this.#store.transaction(() => {
      if (leg.status !== "ringing") return;
      for (const kind of ["no-answer", "phone-answers"]) this.exchange.timers.clear(leg.sid, kind);
      leg.status = "in-progress";
      leg.answeredAt = this.exchange.clock.now();
      this.exchange.report(leg, "answered");
      this.exchange.timers.set(leg.sid, "time-limit", leg.timeLimitSeconds * 1_000);
      this.exchange.phoneAnswered(leg);
      if (leg.machineDetection) this.exchange.timers.set(leg.sid, "detection", this.#detectionMs(leg));
      if (leg.parentSid) childAnswered(this, leg);
      this.exchange.save(leg);
      if (!leg.machineDetection || leg.machineDetection.async) this.#begin(leg);
    });
  }

  /** Keys pressed on this phone: they feed a Gather; the star ends a Dial that allows it. */
  press(leg: Leg, digits: string): void {
    this.#store.transaction(() => {
      for (const digit of digits) this.#pressOne(leg, digit);
    });
  }

  /** This phone hangs up, or refuses while it rings. */
  hangUp(leg: Leg): void {
    this.#store.transaction(() => {
      if (leg.status === "in-progress") this.endLeg(leg, "completed");
      else if (leg.status === "ringing") this.endLeg(leg, "busy");
    });
  }

  /** A phone was handed over to its own rule: it picks up where its person left off. */
  resumePhones(): void {
    for (const leg of this.exchange.live()) {
      if (leg.status === "ringing") this.exchange.phoneRings(leg);
      else if (leg.activity === "gathering") this.exchange.phoneAsked(leg);
      else if (leg.activity === "bridged" && leg.parentSid) this.exchange.phoneConnected(leg);
    }
  }

  endLeg(leg: Leg, status: Leg["status"]): void {
    if (isEnded(leg)) return;
    leg.status = status;
    leg.activity = "ended";
    leg.endedAt = Date.now();
    leg.fetch = null;
    leg.gather = null;
    leg.steps = [];
    if (leg.answeredAt !== null) {
      leg.durationSeconds = Math.max(1, Math.round((this.exchange.clock.now() - leg.answeredAt) / 1_000));
    }
    this.exchange.timers.clearAll(leg.sid);
    abandonDial(this, leg, true);
    this.exchange.report(leg, "completed");
    this.exchange.save(leg);
    if (leg.parentSid) childEnded(this, leg);
  }

  /** Asks `target` for the TwiML to go on with. */
  load(leg: Leg, target: Target, params: Record<string, string>): void {
    leg.activity = "fetching";
    leg.fetch = pendingFetch({ ...target, url: resolveUrl(target.url, leg.baseUrl) }, params, leg.fallback);
    this.exchange.save(leg);
    this.#fetch(leg);
  }

  /** Runs the next verb; after the last one a parent is over and a child meets its parent. */
  runNext(leg: Leg): void {
    const verb = leg.steps.shift();
    if (!verb) {
      if (leg.parentSid) bridge(this, leg);
      else this.endLeg(leg, "completed");
    } else if (isSpeech(verb)) {
      this.#speak(leg, verb);
    } else if (verb.name === "Gather") {
      this.#gather(leg, verb);
    } else if (verb.name === "Dial" && !leg.parentSid) {
      startDial(this, leg, verb);
    } else if (verb.name === "Redirect") {
      const method = verb.attributes.method?.toUpperCase() === "GET" ? "GET" : "POST";
      this.load(leg, { url: verb.text, method }, callParams(leg));
    } else if (verb.name === "Hangup" || verb.name === "Reject") {
      this.endLeg(leg, "completed");
    } else {
      if (!verb.name.startsWith("#")) leg.warnings.push(`12200 Schema validation warning: <${verb.name}>`);
      this.runNext(leg);
    }
  }

  #begin(leg: Leg): void {
    if (leg.document) this.load(leg, leg.document, callParams(leg));
    else if (leg.twiml !== null) this.#onDocument(leg, readTwiml(leg.twiml, ""));
    else this.runNext(leg);
  }

  #fetch(leg: Leg): void {
    const { fetch } = leg;
    if (!fetch) return;
    const { signal } = this.#stopping;
    fetchDocument(fetch, this.#authToken, signal).then((document) => {
      if (signal.aborted) return;
      const current = this.exchange.legs.get(leg.sid);
      if (current?.fetch?.token !== fetch.token) return;
      this.#store.transaction(() => this.#onDocument(current, document));
    });
  }

  #onDocument(leg: Leg, document: FetchedDocument): void {
    leg.fetch = null;
    if ("error" in document) {
      leg.warnings.push(document.error);
      leg.steps = [HANG_UP];
      this.#speak(leg, { name: "Say", attributes: {}, text: APOLOGY, children: [] });
      return;
    }
    leg.baseUrl = document.url || leg.baseUrl;
    leg.steps = document.verbs;
    this.runNext(leg);
  }

  #speak(leg: Leg, verb: TwimlNode): void {
    const { text, ms } = utterance(verb);
    if (text) leg.heard.push(text);
    leg.activity = "speaking";
    this.exchange.timers.set(leg.sid, "step", ms);
    this.exchange.save(leg);
  }

  #gather(leg: Leg, verb: TwimlNode): void {
    const prompts = verb.children.filter(isSpeech).map(utterance);
    for (const { text } of prompts) if (text) leg.heard.push(text);
    leg.gather = gatherOf(verb, leg);
    leg.activity = "gathering";
    const promptMs = prompts.reduce((sum, prompt) => sum + prompt.ms, 0);
    this.exchange.timers.set(leg.sid, "gather", promptMs + leg.gather.timeoutMs);
    this.exchange.phoneAsked(leg);
    this.exchange.save(leg);
  }

  #pressOne(leg: Leg, digit: string): void {
    if (leg.status !== "in-progress") return;
    leg.pressed += digit;
    if (leg.gather) {
      const finished = digit === leg.gather.finishOnKey;
      if (!finished) leg.gather.digits += digit;
      if (finished || leg.gather.digits.length === leg.gather.numDigits) this.#endGather(leg);
      else this.exchange.timers.set(leg.sid, "gather", leg.gather.timeoutMs);
    } else if (digit === "*" && leg.dial?.hangupOnStar) {
      const child = this.exchange.legs.get(leg.dial.winner ?? leg.dial.children[0] ?? "");
      if (child) this.endLeg(child, child.status === "in-progress" ? "completed" : "canceled");
    }
    this.exchange.save(leg);
  }

  #endGather(leg: Leg): void {
    const { gather } = leg;
    if (!gather) return;
    leg.gather = null;
    for (const kind of ["gather", "phone-presses"]) this.exchange.timers.clear(leg.sid, kind);
    if (gather.digits || gather.askEmpty) {
      this.load(leg, gather.action, { ...callParams(leg), Digits: gather.digits, FinishedOnKey: "" });
    } else {
      this.runNext(leg);
    }
  }

  #onDue(subject: string, kind: string): void {
    if (kind === "ready") recordingReady(this.exchange, subject);
    const leg = this.exchange.legs.get(subject);
    if (!leg || isEnded(leg)) return;
    const alone = this.exchange.phones.actsAlone(leg.to);
    const steps: Record<string, () => void> = {
      dial: () => this.#dial(leg),
      ring: () => this.#ring(leg),
      busy: () => this.endLeg(leg, "busy"),
      unroutable: () => this.endLeg(leg, "failed"),
      "no-answer": () => this.endLeg(leg, "no-answer"),
      "phone-answers": () => alone && this.answer(leg),
      "phone-presses": () => alone && this.press(leg, "1"),
      "phone-hangs-up": () => alone && this.hangUp(leg),
      detection: () => this.#detected(leg),
      step: () => this.runNext(leg),
      gather: () => this.#endGather(leg),
      "dial-limit": () => this.#limitReached(leg),
      "time-limit": () => this.endLeg(leg, "completed"),
    };
    steps[kind]?.();
  }

  #dial(leg: Leg): void {
    leg.startedAt = Date.now();
    this.exchange.report(leg, "initiated");
    this.exchange.save(leg);
    const { phones, timers } = this.exchange;
    if (phones.isInvalid(leg.to)) timers.set(leg.sid, "unroutable", PHONE_TIMES.setUp);
    else if (phones.actsAlone(leg.to) && phones.behaviourOf(leg.to) === "busy") {
      timers.set(leg.sid, "busy", PHONE_TIMES.busyTone);
    } else timers.set(leg.sid, "ring", PHONE_TIMES.setUp);
  }

  #ring(leg: Leg): void {
    leg.status = "ringing";
    leg.activity = "ringing";
    this.exchange.report(leg, "ringing");
    this.exchange.timers.set(leg.sid, "no-answer", leg.ringSeconds * 1_000 + EXTRA_RING_MS);
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
      this.exchange.outbox.post(leg.sid, machineDetection.callback, {
        CallSid: leg.sid,
        AccountSid: callParams(leg).AccountSid ?? "",
        AnsweredBy: leg.answeredBy,
        MachineDetectionDuration: String(this.#detectionMs(leg)),
        ...(leg.parentSid ? { ParentCallSid: leg.parentSid } : {}),
      });
    }
    if (!machineDetection.async) this.#begin(leg);
  }

  #limitReached(leg: Leg): void {
    const child = this.exchange.legs.get(leg.dial?.winner ?? "");
    if (child) this.endLeg(child, "completed");
  }
}
