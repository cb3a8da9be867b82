import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store, Table } from "../state/store.ts";
import type { Target } from "./leg.ts";
import { sendWebhook, type WebhookRequest, type WebhookWay } from "./webhook-client.ts";

interface Delivery extends WebhookRequest {
  id: string;
  /** Deliveries of one subject (a leg or a recording) start in order. */
  subject: string;
}

/** How the next webhooks are disturbed: a whole number means the next n, a fraction the probability of each. */
export interface WebhookRules {
  drop: number;
  repeat: number;
  shuffle: number;
  delayMs: number;
  /** Only webhooks whose URL contains this; if empty every URL matches. */
  match: string;
}

/** Counts of webhooks since the process started. */
export interface WebhookCounts {
  sent: number;
  dropped: number;
  repeated: number;
  shuffled: number;
  /** With a 2xx response, including repetitions. */
  acknowledged: number;
}

const NONE: WebhookCounts = { sent: 0, dropped: 0, repeated: 0, shuffled: 0, acknowledged: 0 };

export const NO_WEBHOOK_RULES: WebhookRules = {
  drop: 0,
  repeat: 0,
  shuffle: 0,
  delayMs: 0,
  match: "",
};

/** Webhooks that need no response: saved before they are sent, and sent again after a restart of the sandbox. */
export class Outbox {
  rules: WebhookRules = { ...NO_WEBHOOK_RULES };
  counts: WebhookCounts = { ...NONE };
  readonly #rows: Table<Delivery>;
  readonly #way: WebhookWay;
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #underWay = new Set<Promise<void>>();
  #stopping = new AbortController();

  constructor(store: Store, way: WebhookWay) {
    this.#rows = store.table<Delivery>("deliveries");
    this.#way = way;
  }

  start(): void {
    for (const delivery of this.#rows.values()) this.#dispatch(delivery, false);
  }

  /** Sends `params` to `target`; a webhook that is delayed by more than a second does not delay the next. */
  post(subject: string, target: Target, params: Record<string, string>): void {
    this.counts.sent += 1;
    if (this.applies("drop", target)) {
      this.counts.dropped += 1;
      return;
    }
    const delivery = { id: randomUUID(), subject, ...target, params, token: randomUUID() };
    this.#rows.set(delivery.id, delivery);
    const shuffled = this.applies("shuffle", target);
    if (shuffled) this.counts.shuffled += 1;
    this.#dispatch(delivery, shuffled);
  }

  /** Stops sending; unacknowledged webhooks stay saved. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#underWay);
  }

  clear(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#last.clear();
    this.#rows.clear();
    this.counts = { ...NONE };
  }

  #dispatch(delivery: Delivery, astray: boolean): void {
    const { signal } = this.#stopping;
    const before = astray ? undefined : this.#last.get(delivery.subject);
    const work = this.#deliver(delivery, before, astray, signal).catch(() => undefined);
    if (!astray) this.#last.set(delivery.subject, work);
    this.#underWay.add(work);
    work.finally(() => {
      this.#underWay.delete(work);
      if (this.#last.get(delivery.subject) === work) this.#last.delete(delivery.subject);
    });
  }

  async #deliver(
    delivery: Delivery,
    before: Promise<unknown> | undefined,
    astray: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const delay = delivery.url.includes(this.rules.match) ? this.rules.delayMs : 0;
    const pause = delay + (astray ? 100 + Math.random() * 600 : 0);
    if (before) await Promise.race([before, sleep(1_000, undefined, { signal, ref: false })]);
    if (pause > 0) await sleep(pause, undefined, { signal });
    await this.#send(delivery, signal);
    if (this.applies("repeat", delivery)) {
      this.counts.repeated += 1;
      await this.#send(delivery, signal);
    }
    if (!signal.aborted) this.#rows.delete(delivery.id);
  }

  async #send(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const answer = await sendWebhook(delivery, this.#way, signal);
    if (answer.kind === "answer" && answer.status < 300) this.counts.acknowledged += 1;
  }

  /** Whether the next webhook to this address is disturbed in this way. */
  applies(rule: "drop" | "repeat" | "shuffle", { url }: Target): boolean {
    if (!url.includes(this.rules.match)) return false;
    const value = this.rules[rule];
    if (value >= 1) this.rules[rule] = value - 1;
    return value >= 1 || Math.random() < value;
  }
}
