import type { Store } from "../state/store.ts";
import { abandonDial, bridge, childEnded, type DialHost, startDial } from "./bridge.ts";
import { type FetchedDocument, fetchDocument, pendingFetch, readTwiml } from "./documents.ts";
import type { Exchange } from "./exchange.ts";
import { isEnded, type Leg, type Target } from "./leg.ts";
import { callParams } from "./params.ts";
import { endRecord, startRecord } from "./record.ts";
import { gatherOf, isSpeech, methodOf, resolveUrl, utterance } from "./speech.ts";
import type { TwimlNode } from "./twiml.ts";
import type { WebhookWay } from "./webhook-client.ts";

const APOLOGY = "We are sorry, an application error has occurred. Goodbye.";
const HANG_UP: TwimlNode = { name: "Hangup", attributes: {}, text: "", children: [] };

/** Runs the TwiML of answered legs: fetches documents, speaks, gathers keys, dials, and ends the leg. */
export class LegRunner implements DialHost {
  readonly exchange: Exchange;
  readonly #store: Store;
  readonly #way: WebhookWay;
  #stopping = new AbortController();

  constructor(exchange: Exchange, store: Store, way: WebhookWay) {
    this.exchange = exchange;
    this.#store = store;
    this.#way = way;
  }

  /** Sends again what an earlier run had asked for. */
  resume(): void {
    for (const leg of this.exchange.live()) if (leg.fetch) this.#fetch(leg);
  }

  /** Forgets the requests under way; their answers are not heard any more. */
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

  /** Asks `target` for the TwiML to go on with. */
  load(leg: Leg, target: Target, params: Record<string, string>): void {
    leg.activity = "fetching";
    const told = this.exchange.account.tell(params);
    leg.fetch = pendingFetch({ ...target, url: resolveUrl(target.url, leg.baseUrl) }, told, leg.fallback);
    this.exchange.save(leg);
    this.#fetch(leg);
  }

  /** Runs the next verb; after the last one a parent is over and a child meets its parent. */
  runNext(leg: Leg): void {
    const verb = leg.steps.shift();
    if (verb && takesUp(verb)) this.pickUp(leg);
    if (!verb) {
      if (leg.parentSid) bridge(this, leg);
      else this.endLeg(leg, "completed");
    } else if (isSpeech(verb)) {
      this.#speak(leg, verb);
    } else if (verb.name === "Gather") {
      this.#gather(leg, verb);
    } else if (verb.name === "Dial" && !leg.parentSid) {
      startDial(this, leg, verb);
    } else if (verb.name === "Record" && !leg.parentSid) {
      startRecord(this, leg, verb);
    } else if (verb.name === "Redirect") {
      this.load(leg, { url: verb.text, method: methodOf(verb.attributes.method) }, callParams(leg));
    } else if (verb.name === "Reject" && leg.status === "ringing") {
      this.endLeg(leg, "busy");
    } else if (verb.name === "Hangup" || verb.name === "Reject") {
      this.endLeg(leg, "completed");
    } else {
      if (!verb.name.startsWith("#")) leg.warnings.push(`12200 Schema validation warning: <${verb.name}>`);
      this.runNext(leg);
    }
  }

  /** A call to the account's number is answered by the first verb that needs it (twilio.com/docs/voice/twiml). */
  pickUp(leg: Leg): void {
    if (leg.direction !== "inbound" || leg.status !== "ringing") return;
    leg.status = "in-progress";
    leg.answeredAt = this.exchange.clock.now();
    this.exchange.timers.set(leg.sid, "time-limit", leg.timeLimitSeconds * 1_000);
  }

  /** The leg is over: everyone who should know is notified, and so is the other leg. */
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

  /** Gives the leg other TwiML than it runs. */
  redirect(leg: Leg, to: { target: Target } | { twiml: string }): void {
    for (const kind of ["step", "gather", "phone-presses"]) this.exchange.timers.clear(leg.sid, kind);
    leg.gather = null;
    endRecord(this, leg, null);
    abandonDial(this, leg, false);
    if ("target" in to) this.load(leg, to.target, callParams(leg));
    else this.#onDocument(leg, readTwiml(to.twiml, leg.baseUrl ?? ""));
  }

  /** One key on this phone: it feeds a Gather; the star ends a Dial that allows it. */
  press(leg: Leg, digit: string): void {
    if (leg.status !== "in-progress") return;
    leg.pressed += digit;
    if (leg.gather) {
      const finished = digit === leg.gather.finishOnKey;
      if (!finished) leg.gather.digits += digit;
      if (finished || leg.gather.digits.length === leg.gather.numDigits) this.endGather(leg);
      else this.#awaitKey(leg, leg.gather.timeoutMs);
    } else if (leg.record?.finishOnKey.includes(digit)) {
      endRecord(this, leg, digit);
    } else if (digit === "*" && leg.dial?.hangupOnStar) {
      const child = this.exchange.legs.get(leg.dial.winner ?? leg.dial.children[0] ?? "");
      if (child) this.endLeg(child, child.status === "in-progress" ? "completed" : "canceled");
    }
    this.exchange.save(leg);
  }

  /** No more keys come: asks the action URL, or goes on after the verb when there were none. */
  endGather(leg: Leg): void {
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

  /** The time limit of the Dial is up. */
  endBridge(leg: Leg): void {
    const child = this.exchange.legs.get(leg.dial?.winner ?? "");
    if (child) this.endLeg(child, "completed");
  }

  #fetch(leg: Leg): void {
    const { fetch } = leg;
    if (!fetch) return;
    const { signal } = this.#stopping;
    fetchDocument(fetch, this.#way, signal).then((document) => {
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

  #awaitKey(leg: Leg, ms: number): void {
    this.exchange.timers.set(leg.sid, "gather", this.exchange.patience(leg, ms));
  }

  #gather(leg: Leg, verb: TwimlNode): void {
    const prompts = verb.children.filter(isSpeech).map(utterance);
    for (const { text } of prompts) if (text) leg.heard.push(text);
    leg.gather = gatherOf(verb, leg);
    leg.activity = "gathering";
    const promptMs = prompts.reduce((sum, prompt) => sum + prompt.ms, 0);
    this.#awaitKey(leg, promptMs + leg.gather.timeoutMs);
    this.exchange.phoneAsked(leg);
    this.exchange.save(leg);
  }
}

/** Whether an inbound call is answered for this verb; a Dial with answerOnBridge leaves it ringing until both talk. */
function takesUp({ name, attributes }: TwimlNode): boolean {
  if (name === "Dial") return attributes.answerOnBridge !== "true";
  return ["Say", "Play", "Gather", "Record", "Hangup"].includes(name);
}
