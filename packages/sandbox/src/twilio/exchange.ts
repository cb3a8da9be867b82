import type { Clock } from "../state/clock.ts";
import type { Store, Table } from "../state/store.ts";
import { Timers } from "../state/timers.ts";
import type { Account } from "./account.ts";
import { type CallEvent, isEnded, type Leg, phoneOf, type RecordingRow } from "./leg.ts";
import type { Outbox } from "./outbox.ts";
import { progressParams } from "./params.ts";
import { PHONE_TIMES, type PhoneScript, type Phones } from "./phones.ts";

/** Shared state of the call engine and its phones: the legs, their timers and the webhooks to the portal. */
export class Exchange {
  readonly legs: Table<Leg>;
  readonly recordings: Table<RecordingRow>;
  readonly clock: Clock;
  readonly phones: Phones;
  readonly outbox: Outbox;
  readonly account: Account;
  readonly timers: Timers;
  /** Languages in which voicemails are transcribed: only English, as at Twilio, or any. */
  readonly transcription = { englishOnly: true };
  readonly #onChange: () => void;
  readonly #onRefusal: (number: string) => void;

  constructor(parts: {
    store: Store;
    clock: Clock;
    phones: Phones;
    outbox: Outbox;
    account: Account;
    onDue: (subject: string, kind: string) => void;
    onChange: () => void;
    onRefusal: (number: string) => void;
  }) {
    this.legs = parts.store.table<Leg>("legs");
    this.recordings = parts.store.table<RecordingRow>("recordings");
    this.clock = parts.clock;
    this.phones = parts.phones;
    this.outbox = parts.outbox;
    this.account = parts.account;
    this.timers = new Timers(parts.store, parts.clock, parts.onDue);
    this.#onChange = parts.onChange;
    this.#onRefusal = parts.onRefusal;
  }

  save(leg: Leg): void {
    this.legs.set(leg.sid, leg);
    this.#onChange();
  }

  live(): Leg[] {
    return this.legs.values().filter((leg) => !isEnded(leg));
  }

  /** Sends a progress callback if the caller subscribed to this event. */
  report(leg: Leg, event: CallEvent): void {
    if (!leg.callback?.events.includes(event)) return;
    const { url, method } = leg.callback;
    const params = progressParams(leg, event, leg.callbacksSent);
    this.outbox.post(leg.sid, { url, method }, this.account.withAccount(params));
    leg.callbacksSent += 1;
  }

  /** Duration of a wait of `ms` for this phone: a person operates it in real seconds, at any speed of the simulated time. */
  patience(leg: Leg, ms: number): number {
    return this.phones.actsAlone(phoneOf(leg)) ? ms : ms * Math.max(1, this.clock.speed);
  }

  /** The phone on `leg` rings: an automatic one answers after a while. */
  phoneRings(leg: Leg): void {
    if (leg.person === "caller" || !this.phones.actsAlone(leg.to)) return;
    const behaviour = this.phones.behaviourOf(leg.to);
    const answers = behaviour === "answers" || behaviour === "opts-out";
    if (!answers && behaviour !== "voicemail") return;
    const usual = answers ? PHONE_TIMES.twoRings : PHONE_TIMES.voicemailAnswers;
    this.timers.set(leg.sid, "phone-answers", this.#scripted(leg, "answerAfter") ?? usual);
  }

  /** The phone was answered. A rep's phone stays connected; a voicemail and a lead who refuses do not. */
  phoneAnswered(leg: Leg): void {
    if (!this.phones.actsAlone(leg.to)) return;
    const behaviour = this.phones.behaviourOf(leg.to);
    if (behaviour === "voicemail") this.timers.set(leg.sid, "phone-hangs-up", PHONE_TIMES.voicemailRecords);
    if (behaviour === "opts-out" && leg.person === "rep") {
      this.timers.set(leg.sid, "phone-hangs-up", PHONE_TIMES.saysNo);
    }
    const scripted = this.#scripted(leg, "hangUpAfter");
    if (scripted !== undefined) this.timers.set(leg.sid, "phone-hangs-up", scripted);
  }

  /** The call is over for this phone: a voicemail stays longer to record what is played to it. */
  phoneLeftAlone(leg: Leg): void {
    const { phones, timers } = this;
    if (!phones.actsAlone(leg.to) || phones.behaviourOf(leg.to) !== "voicemail") return;
    if (this.#scripted(leg, "hangUpAfter") === undefined)
      timers.set(leg.sid, "phone-hangs-up", PHONE_TIMES.voicemailKeeps);
  }

  /** Both ends are connected: a lead talks for a while, in either direction; one who opts out says so. */
  phoneConnected(leg: Leg): void {
    const number = phoneOf(leg);
    if (!this.phones.actsAlone(number)) return;
    const behaviour = this.phones.behaviourOf(number);
    if (leg.person === "caller" || behaviour === "answers") {
      const scripted = this.#scripted(leg, "talk");
      if (scripted === undefined && this.#scripted(leg, "hangUpAfter") !== undefined) return;
      this.timers.set(leg.sid, "phone-hangs-up", scripted ?? this.phones.talkMs(number));
    } else if (behaviour === "opts-out") {
      leg.optedOut = true;
      this.#onRefusal(number);
      this.timers.set(leg.sid, "phone-hangs-up", PHONE_TIMES.saysNo);
    }
  }

  /** A voicemail records this caller, who speaks and hangs up; one with last digit 6 says nothing. */
  phoneRecorded(leg: Leg): void {
    const number = phoneOf(leg);
    if (!this.phones.actsAlone(number)) return;
    const delay = this.hasNoWords(leg) ? 0 : this.phones.messageMs(number);
    this.timers.set(leg.sid, "phone-hangs-up", delay);
  }

  /** Callers with last digit 6 do not speak to an automated system. */
  hasNoWords(leg: Leg): boolean {
    const number = phoneOf(leg);
    return this.phones.actsAlone(number) && this.phones.behaviourOf(number) === "no-answer";
  }

  /** The Dial of this phone connected it: its script may press the star after a while. */
  phoneTalks(leg: Leg): void {
    const after = this.#scripted(leg, "starAfter");
    if (after !== undefined) this.timers.set(leg.sid, "phone-presses-star", after);
  }

  /** A prompt asks for keys: a person presses them, a voicemail does not. */
  phoneAsked(leg: Leg): void {
    const number = phoneOf(leg);
    const machine = leg.person !== "caller" && this.phones.behaviourOf(number) === "voicemail";
    if (!this.phones.actsAlone(number) || machine || !this.keysOf(leg)) return;
    this.timers.set(leg.sid, "phone-presses", this.#scripted(leg, "pressAfter") ?? PHONE_TIMES.pressesKey);
  }

  /**
   * Keys that this phone presses in the running Gather; empty for none. Without a script it presses 1 the first time, and again if the
   * prompt names the key before anybody was dialed: questions after a lead are left to a person.
   */
  keysOf(leg: Leg): string {
    const keys = this.phones.get(phoneOf(leg))?.script?.press;
    if (keys) return keys[leg.asked - 1] ?? "";
    return leg.asked === 1 || (leg.dials === 0 && leg.gather?.asksForOne) ? "1" : "";
  }

  /** Time of a step in the phone's script, in simulated milliseconds. */
  #scripted(leg: Leg, step: Exclude<keyof PhoneScript, "press">): number | undefined {
    const seconds = this.phones.get(phoneOf(leg))?.script?.[step];
    return seconds === undefined ? undefined : seconds * 1_000;
  }
}
