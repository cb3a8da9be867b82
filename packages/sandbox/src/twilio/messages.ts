import { OFFICE_LINE, SYSTEM_NUMBER } from "../defaults.ts";
import { newSid } from "../ids.ts";
import type { Clock } from "../state/clock.ts";
import type { Store, Table } from "../state/store.ts";
import { Timers } from "../state/timers.ts";
import { KEYWORD_REPLIES, type Keyword, keywordOf } from "./keywords.ts";
import type { Target } from "./leg.ts";
import type { MessagingServices } from "./messaging-services.ts";
import type { Outbox } from "./outbox.ts";
import { deliveryParams, inboundParams } from "./params.ts";
import type { Phones } from "./phones.ts";
import { segmentsOf } from "./segments.ts";
import { DELIVERY_ERRORS, NEVER_SENT, REFUSALS, type SmsOutcome, type SmsRow } from "./sms.ts";

/** Simulated milliseconds between the states of an SMS. */
const TIMES = { toSending: 300, toSent: 400, toReport: 1_200, toReply: 2_000 };
/** A long code sends one segment per second; further ones are queued (facts of the vendor, in simulated time). */
const SEGMENT_MS = 1_000;

const BY_LAST_DIGIT: Record<string, number | undefined> = { 5: 30003, 6: 30005, 7: 30006, 8: 21211 };
/** Countries to which the account may send SMS. */
const REGIONS = ["+1", "+34"];

interface TextParts {
  store: Store;
  clock: Clock;
  phones: Phones;
  outbox: Outbox;
  services: MessagingServices;
  onChange: () => void;
}

/** Sends and receives SMS: every step is a saved state plus a saved timer, as for calls. */
export class SandboxMessages {
  readonly rows: Table<SmsRow>;
  readonly timers: Timers;
  /** Advanced Opt-Out of the Messaging Services: the keyword of an SMS is reported, by the account's own words if it has some. */
  readonly advanced: { on: boolean; words: Record<string, Keyword> } = { on: false, words: {} };
  readonly #parts: TextParts;
  readonly #optOuts: Table<{ at: string }>;
  readonly #pace: Table<{ nextStart: number }>;

  constructor(parts: TextParts) {
    this.#parts = parts;
    this.rows = parts.store.table<SmsRow>("texts");
    this.#optOuts = parts.store.table<{ at: string }>("opt-outs");
    this.#pace = parts.store.table<{ nextStart: number }>("text-pace");
    this.timers = new Timers(
      parts.store,
      parts.clock,
      (subject, kind) => this.#onDue(subject, kind),
      "text-timers",
    );
  }

  clear(): void {
    this.timers.forgetAll();
    this.rows.clear();
    this.#optOuts.clear();
    this.#pace.clear();
    this.setAdvanced(false, {});
  }

  setAdvanced(on: boolean, words: Record<string, Keyword>): void {
    this.advanced.on = on;
    this.advanced.words = words;
  }

  /** Loads the SMS of a history, and who sent STOP in it. */
  fill(texts: SmsRow[], optOuts: { number: string; at: string }[]): void {
    for (const text of texts) this.rows.set(text.sid, text);
    for (const { number, at } of optOuts) this.#optOuts.set(pairOf(number, SYSTEM_NUMBER), { at });
  }

  /** How an SMS to `number` ends: as set by the control API, otherwise by its last digit; the office line is a landline. */
  outcomeOf(number: string): SmsOutcome {
    const chosen = this.#parts.phones.get(number)?.texts;
    if (chosen !== undefined) return chosen;
    if (number === OFFICE_LINE) return 21614;
    if (!REGIONS.some((prefix) => number.startsWith(prefix))) return 21408;
    return BY_LAST_DIGIT[number.at(-1) ?? ""] ?? "delivered";
  }

  /** The code that refuses an SMS to this number at once, or null. An opt-out applies to a pair of numbers, or to a Messaging Service. */
  refusalOf(to: string, from: string): number | null {
    if (this.#optOuts.get(pairOf(to, from))) return 21610;
    const outcome = this.outcomeOf(to);
    return typeof outcome === "number" && REFUSALS.has(outcome) ? outcome : null;
  }

  hasOptedOut(number: string): boolean {
    return this.#optOuts.get(pairOf(number, SYSTEM_NUMBER)) !== undefined;
  }

  /** Creates an SMS through the REST API; its segments are queued. */
  send(text: Pick<SmsRow, "to" | "from" | "body" | "callback"> & { serviceSid: string | null }): SmsRow {
    return this.#parts.store.transaction(() => {
      const status = text.serviceSid ? "accepted" : "queued";
      const row = this.#add({ ...text, direction: "outbound-api", status });
      this.#report(row);
      const now = this.#parts.clock.now();
      const startAt = Math.max(now, this.#pace.get("number")?.nextStart ?? 0);
      this.#pace.set("number", { nextStart: startAt + row.segments * SEGMENT_MS });
      this.timers.set(row.sid, "step", startAt - now + TIMES.toSending);
      return row;
    });
  }

  /** Receives an SMS to a number of the account. Twilio handles its keywords and sends every SMS to the webhook. */
  receive(text: { from: string; to: string; body: string }): SmsRow {
    return this.#parts.store.transaction(() => {
      const { services } = this.#parts;
      const service = services.of(text.to);
      const row = this.#add({
        ...text,
        direction: "inbound",
        status: "received",
        serviceSid: service?.sid ?? null,
      });
      row.sentAt = row.createdAt;
      const advanced = service !== undefined && this.advanced.on;
      const keyword =
        (advanced && this.advanced.words[text.body.trim().toUpperCase()]) || keywordOf(text.body);
      if (advanced && keyword) row.optOutType = keyword.toUpperCase() as SmsRow["optOutType"];
      this.#save(row);
      this.#obeyKeyword(text, keyword);
      const sms = services.inboundTarget(text.to);
      if (sms) this.#parts.outbox.post(row.sid, sms, inboundParams(row));
      return row;
    });
  }

  /** This person sends STOP after a delay. */
  planStop(number: string, delayMs: number): void {
    this.timers.set(number, "says-stop", delayMs + TIMES.toReply);
  }

  delete(row: SmsRow): void {
    this.timers.clearAll(row.sid);
    this.rows.delete(row.sid);
    this.#parts.onChange();
  }

  #onDue(subject: string, kind: string): void {
    if (kind === "says-stop") this.receive({ from: subject, to: SYSTEM_NUMBER, body: "STOP" });
    const row = this.rows.get(subject);
    if (kind === "step" && row) this.#step(row);
  }

  /** queued → sending → sent → delivered; an error code of the delivery report ends it as undelivered or failed. */
  #step(row: SmsRow): void {
    const outcome = this.outcomeOf(row.to);
    const code = typeof outcome === "number" && DELIVERY_ERRORS.has(outcome) ? outcome : null;
    if (row.status === "accepted") {
      row.status = "queued";
      this.timers.set(row.sid, "step", TIMES.toSending);
    } else if (row.status === "queued") {
      row.status = "sending";
      this.timers.set(row.sid, "step", TIMES.toSent);
    } else if (row.status === "sending" && code !== null && NEVER_SENT.has(code)) {
      row.status = "failed";
      row.errorCode = code;
    } else if (row.status === "sending") {
      row.status = "sent";
      row.sentAt = Date.now();
      if (outcome !== "sent") this.timers.set(row.sid, "step", TIMES.toReport);
    } else if (row.status === "sent") {
      row.status = code === null ? "delivered" : "undelivered";
      row.errorCode = code;
    }
    row.updatedAt = Date.now();
    this.#save(row);
    this.#report(row);
  }

  #obeyKeyword({ from, to }: { from: string; to: string }, keyword: Keyword | null): void {
    if (keyword === null) return;
    const service = this.#parts.services.of(to);
    const wasOut = this.#optOuts.get(pairOf(from, to)) !== undefined;
    for (const sender of service ? [to, service.sid] : [to]) {
      if (keyword === "stop") this.#optOuts.set(pairOf(from, sender), { at: new Date().toISOString() });
      if (keyword === "start") this.#optOuts.delete(pairOf(from, sender));
    }
    const silent = (keyword === "stop" && wasOut) || (keyword === "start" && !wasOut);
    if (silent) return;
    const reply = this.#add({
      direction: "outbound-reply",
      from: to,
      to: from,
      body: KEYWORD_REPLIES[keyword],
      status: "delivered",
    });
    reply.automatic = true;
    reply.sentAt = reply.createdAt;
    this.#save(reply);
  }

  #add(
    given: Pick<SmsRow, "direction" | "from" | "to" | "body" | "status" | "serviceSid"> & {
      callback?: Target | null;
    },
  ): SmsRow {
    const now = Date.now();
    const row: SmsRow = {
      callback: null,
      ...given,
      sid: newSid("SM"),
      segments: segmentsOf(given.body),
      errorCode: null,
      createdAt: now,
      updatedAt: now,
      sentAt: null,
      automatic: false,
    };
    this.#save(row);
    return row;
  }

  #save(row: SmsRow): void {
    this.rows.set(row.sid, row);
    this.#parts.onChange();
  }

  #report(row: SmsRow): void {
    if (row.callback) this.#parts.outbox.post(row.sid, row.callback, deliveryParams(row));
  }
}

function pairOf(person: string, account: string): string {
  return `${person}/${account}`;
}
