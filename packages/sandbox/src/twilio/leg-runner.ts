import type { Store } from "../state/store.ts";
import { abandonDial, bridge, childEnded, type DialHost, dialerOf, leaveDial, startDial } from "./bridge.ts";
import { type FetchedDocument, fetchDocument, pendingFetch, readTwiml } from "./documents.ts";
import type { Exchange } from "./exchange.ts";
import { addUtterance, isEnded, type Leg, type Target } from "./leg.ts";
import { callParams } from "./params.ts";
import { endRecord, startRecord } from "./record.ts";
import { fetchSound } from "./sound.ts";
import { gatherOf, isSpeech, loopOf, methodOf, resolveUrl, SPEECH, utterance } from "./speech.ts";
import type { TwimlNode } from "./twiml.ts";
import { warningsOf } from "./twiml-rules.ts";
import type { WebhookWay } from "./webhook-client.ts";

const APOLOGY = "We are sorry, an application error has occurred. Goodbye.";
/** Timers that stop when a leg is redirected or asked for keys. */
const TIMERS_OF_A_VERB = ["step", "said", "gather", "phone-presses"];
const HANG_UP: TwimlNode = { name: "Hangup", attributes: {}, text: "", children: [] };

/** Runs the TwiML of answered legs: loads documents, speaks, gathers keys, dials, and ends the leg. */
export class LegRunner implements DialHost {
  readonly exchange: Exchange;
  /** Speed of Say. */
  readonly speech = { ...SPEECH };
  readonly #store: Store;
  readonly #way: WebhookWay;
  #stopping = new AbortController();

  constructor(exchange: Exchange, store: Store, way: WebhookWay) {
    this.exchange = exchange;
    this.#store = store;
    this.#way = way;
  }

  /** Repeats pending requests of an earlier run. */
  resume(): void {
    for (const leg of this.exchange.live()) if (leg.fetch) this.#fetch(leg);
  }

  /** Aborts pending requests; their responses are ignored. */
  abort(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  /** The person on this leg is ready to listen. */
  begin(leg: Leg): void {
    if (leg.document) this.load(leg, leg.document, callParams(leg));
    else if (leg.twiml !== null) this.#onDocument(leg, readTwiml(leg.twiml, ""));
    else this.runNext(leg);
  }

  /** Requests the next TwiML from `target`. */
  load(leg: Leg, target: Target, params: Record<string, string>): void {
    leg.activity = "fetching";
    const fields = this.exchange.account.withAccount(params);
    leg.fetch = pendingFetch({ ...target, url: resolveUrl(target.url, leg.baseUrl) }, fields, leg.fallback);
    this.exchange.save(leg);
    this.#fetch(leg);
  }

  /** Runs the next verb; after the last one a child is connected with its parent, and any other leg ends. */
  runNext(leg: Leg): void {
    const verb = leg.steps.shift();
    if (verb && takesUp(verb)) this.pickUp(leg);
    if (!verb) {
      const parent = dialerOf(this.exchange, leg);
      if (parent) bridge(this, parent, leg);
      else this.endLeg(leg, "completed");
    } else if (isSpeech(verb)) {
      leg.activity = "speaking";
      this.#speak(leg, verb);
    } else if (verb.name === "Gather") {
      this.#gather(leg, verb);
    } else if (verb.name === "Dial" && dialerOf(this.exchange, leg)) {
      this.#fail(leg, "13201 Dial: Cannot Dial out from a Dial Call Segment");
    } else if (verb.name === "Dial") {
      leg.dials += 1;
      startDial(this, leg, verb);
    } else if (verb.name === "Record" && !dialerOf(this.exchange, leg)) {
      startRecord(this, leg, verb);
    } else if (verb.name === "Redirect") {
      this.load(leg, { url: verb.text, method: methodOf(verb.attributes.method) }, callParams(leg));
    } else if (verb.name === "Reject" && leg.status === "ringing") {
      this.endLeg(leg, "busy");
    } else if (verb.name === "Hangup" || verb.name === "Reject") {
      this.endLeg(leg, "completed");
    } else {
      this.runNext(leg);
    }
  }

  /** The current prompt has ended: the next prompt of the Gather follows, or the next verb. */
  spoken(leg: Leg): void {
    if (leg.gather) this.#prompt(leg);
    else this.runNext(leg);
  }

  /** An audible Say or Play has ended. */
  said(leg: Leg): void {
    const last = leg.transcript.at(-1);
    if (last) last.whole = true;
    this.spoken(leg);
  }

  /** A call to the account's number is answered by the first verb that requires it (twilio.com/docs/voice/twiml). */
  pickUp(leg: Leg): void {
    if (leg.direction !== "inbound" || leg.status !== "ringing") return;
    leg.status = "in-progress";
    leg.answeredAt = this.exchange.clock.now();
    this.exchange.timers.set(leg.sid, "time-limit", leg.timeLimitSeconds * 1_000);
  }

  /** The leg has ended: sends the callbacks and updates the other leg. */
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
    endRecord(this, leg, "hangup");
    this.exchange.report(leg, "completed");
    this.exchange.save(leg);
    if (leg.parentSid) childEnded(this, leg);
  }

  /** Replaces the leg's TwiML: its own Dial ends with its legs; a Dial that it is part of continues without it. */
  redirect(leg: Leg, to: { target: Target } | { twiml: string }): void {
    for (const kind of TIMERS_OF_A_VERB) this.exchange.timers.clear(leg.sid, kind);
    leg.gather = null;
    leg.fetch = null;
    endRecord(this, leg, null);
    abandonDial(this, leg, false);
    leaveDial(this, leg);
    if ("target" in to) this.load(leg, to.target, callParams(leg));
    else this.#onDocument(leg, readTwiml(to.twiml, leg.baseUrl ?? ""));
  }

  /** One key on this phone: input for a Gather; the star ends a Dial that allows it. */
  press(leg: Leg, digit: string): void {
    if (leg.status !== "in-progress") return;
    leg.pressed += digit;
    if (leg.gather) {
      const finished = digit === leg.gather.finishOnKey;
      leg.gather.prompts = [];
      leg.fetch = null;
      for (const kind of ["step", "said"]) this.exchange.timers.clear(leg.sid, kind);
      if (!finished) leg.gather.digits += digit;
      if (finished) this.endGather(leg, digit);
      else if (leg.gather.digits.length === leg.gather.numDigits) this.endGather(leg);
      else this.#awaitKey(leg, leg.gather.timeoutMs);
    } else if (leg.record?.finishOnKey.includes(digit)) {
      endRecord(this, leg, digit);
    } else if (digit === "*" && leg.dial?.hangupOnStar) {
      for (const sid of leg.dial.children) {
        const child = this.exchange.legs.get(sid);
        if (child) this.endLeg(child, child.status === "in-progress" ? "completed" : "canceled");
      }
    }
    this.exchange.save(leg);
  }

  /** No more keys follow: requests the action URL, or continues after the verb if there were none. */
  endGather(leg: Leg, finishedOnKey = ""): void {
    const { gather } = leg;
    if (!gather) return;
    leg.gather = null;
    for (const kind of TIMERS_OF_A_VERB) this.exchange.timers.clear(leg.sid, kind);
    if (gather.digits || gather.askEmpty) {
      const { digits } = gather;
      this.load(leg, gather.action, { ...callParams(leg), Digits: digits, FinishedOnKey: finishedOnKey });
    } else {
      this.runNext(leg);
    }
  }

  /** The Dial has reached its time limit. */
  endBridge(leg: Leg): void {
    const child = this.exchange.legs.get(leg.dial?.winner ?? "");
    if (child) this.endLeg(child, "completed");
  }

  #fetch(leg: Leg): void {
    const { fetch } = leg;
    if (!fetch) return;
    const { signal } = this.#stopping;
    const onAnswer = (work: (current: Leg) => void) => {
      const current = this.exchange.legs.get(leg.sid);
      if (signal.aborted || !current || current.fetch?.token !== fetch.token) return;
      this.#store.transaction(() => work(current));
    };
    const { sound } = fetch;
    if (!sound) {
      fetchDocument(fetch, this.#way, signal).then((document) =>
        onAnswer((current) => this.#onDocument(current, document)),
      );
      return;
    }
    fetchSound(fetch.url, this.#way, signal).then((answer) =>
      onAnswer((current) => {
        current.fetch = null;
        if ("error" in answer) this.#fail(current, answer.error);
        else
          this.#say(
            current,
            { kind: "play", text: fetch.url, language: null },
            answer.ms * loopOf(sound.attributes),
          );
      }),
    );
  }

  #onDocument(leg: Leg, document: FetchedDocument): void {
    leg.fetch = null;
    if ("error" in document) {
      this.#fail(leg, document.error);
      return;
    }
    leg.warnings.push(...warningsOf(document.verbs));
    leg.baseUrl = document.url || leg.baseUrl;
    leg.steps = document.verbs;
    this.runNext(leg);
  }

  /** As at the vendor, an error message is spoken and the call ends. */
  #fail(leg: Leg, error: string): void {
    leg.warnings.push(error);
    leg.gather = null;
    leg.steps = [HANG_UP];
    leg.activity = "speaking";
    this.#speak(leg, { name: "Say", attributes: {}, text: APOLOGY, children: [] });
  }

  /** Starts a Say, Play or Pause; a sound is downloaded first. */
  #speak(leg: Leg, verb: TwimlNode): void {
    if (verb.name === "Play" && verb.text) {
      const url = resolveUrl(verb.text, leg.baseUrl);
      leg.fetch = { ...pendingFetch({ url, method: "GET" }, {}, null), sound: verb };
      this.exchange.save(leg);
      this.#fetch(leg);
      return;
    }
    const { words, ms } = utterance(verb, this.speech);
    if (words) {
      this.#say(leg, words, ms);
      return;
    }
    this.exchange.timers.set(leg.sid, "step", ms);
    this.exchange.save(leg);
  }

  #say(leg: Leg, words: Parameters<typeof addUtterance>[1], ms: number): void {
    addUtterance(leg, words, ms);
    this.exchange.timers.set(leg.sid, "said", ms);
    this.exchange.save(leg);
  }

  #awaitKey(leg: Leg, ms: number): void {
    this.exchange.timers.set(leg.sid, "gather", this.exchange.patience(leg, ms));
  }

  #gather(leg: Leg, verb: TwimlNode): void {
    leg.gather = gatherOf(verb, leg);
    leg.activity = "gathering";
    leg.asked += 1;
    this.exchange.phoneAsked(leg);
    this.#prompt(leg);
  }

  /** The next prompt of a Gather; after the last one its timeout for keys starts. */
  #prompt(leg: Leg): void {
    const { gather } = leg;
    if (!gather) return;
    const next = gather.prompts.shift();
    if (next) this.#speak(leg, next);
    else this.#awaitKey(leg, gather.timeoutMs);
    this.exchange.save(leg);
  }
}

/** Whether an inbound call is answered for this verb; a Dial with answerOnBridge keeps it ringing until both are connected. */
function takesUp({ name, attributes }: TwimlNode): boolean {
  if (name === "Dial") return attributes.answerOnBridge !== "true";
  return ["Say", "Play", "Gather", "Record", "Hangup"].includes(name);
}
