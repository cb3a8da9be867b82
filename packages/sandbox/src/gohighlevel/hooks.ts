import { createHash, createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GHL_LOCATION_ID, GHL_WEBHOOK_SEED } from "../defaults.ts";
import type { Clock } from "../state/clock.ts";
import type { Store, Table } from "../state/store.ts";
import type { Outbox } from "../twilio/outbox.ts";
import type { Manners } from "./manners.ts";

interface Delivery {
  id: string;
  /** Deliveries of one contact start in order. */
  contactId: string;
  url: string;
  body: string;
  /** How often the response was 429. */
  refused?: number;
  /** When it is sent again, in simulated time. */
  dueAt?: number;
}

const ANSWER_MS = 10_000;
/** Only 429 is retried: the same payload, every ten minutes, six times. Every other response is final (help article 155000007071). */
const RETRY_MS = 10 * 60_000;
const RETRIES = 6;

/** The key pair is derived from a seed, so that the repository contains no private key. */
export function signingKey(): KeyObject {
  const seed = createHash("sha256").update(GHL_WEBHOOK_SEED).digest();
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** HighLevel's webhooks: JSON signed with Ed25519 in `X-GHL-Signature`, stored until a response arrives, and sent again after a restart. */
export class CrmHooks {
  readonly #rows: Table<Delivery>;
  readonly #settings: Table<{ url: string | null }>;
  readonly #strays: Outbox;
  readonly #usualUrl: string | null;
  readonly #manners: Manners;
  readonly #clock: Clock;
  /** Responses of 429 so far. */
  refused = 0;
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  readonly #key = signingKey();
  readonly #last = new Map<string, Promise<void>>();
  readonly #underWay = new Set<Promise<void>>();
  #stopping = new AbortController();

  /** `strays` contains the rules for losing webhooks, and counts them. */
  constructor(
    store: Store,
    options: { clock: Clock; strays: Outbox; manners: Manners; portalUrl: string | null },
  ) {
    const { clock, strays, manners, portalUrl } = options;
    this.#rows = store.table<Delivery>("ghl-deliveries");
    this.#settings = store.table<{ url: string | null }>("ghl-webhook");
    this.#strays = strays;
    this.#manners = manners;
    this.#usualUrl = portalUrl && `${portalUrl}/api/ghl/webhook`;
    this.#clock = clock;
  }

  /** Address of the app's webhooks; null sends none. */
  get url(): string | null {
    const set = this.#settings.get("webhook");
    return set ? set.url : this.#usualUrl;
  }

  set url(url: string | null) {
    this.#settings.set("webhook", { url });
  }

  start(): void {
    for (const delivery of this.#rows.values())
      if (delivery.dueAt === undefined) this.#dispatch(delivery, false);
    this.clockChanged();
  }

  /** Called after the clock was moved or its speed changed. */
  clockChanged(): void {
    this.#forgetAlarms();
    for (const delivery of this.#rows.values()) this.#arm(delivery);
  }

  /** Deliveries with a response of 429 that wait for their next attempt. */
  get waiting(): number {
    return this.#rows.values().filter(({ dueAt }) => dueAt !== undefined).length;
  }

  /** Sends an event about a contact. */
  send(type: string, contactId: string, fields: Record<string, unknown>): void {
    const { url } = this;
    // A private token alone receives no webhooks: they belong to an installed app.
    if (!url || !this.#manners.appInstalled) return;
    const target = { url, method: "POST" as const };
    this.#strays.counts.sent += 1;
    if (this.#strays.applies("drop", target)) {
      this.#strays.counts.dropped += 1;
      return;
    }
    const id = randomUUID();
    const event = {
      type,
      locationId: GHL_LOCATION_ID,
      ...fields,
      timestamp: new Date().toISOString(),
      webhookId: id,
    };
    const delivery = { id, contactId, url, body: JSON.stringify(event) };
    this.#rows.set(id, delivery);
    const shuffled = this.#strays.applies("shuffle", target);
    if (shuffled) this.#strays.counts.shuffled += 1;
    this.#dispatch(delivery, shuffled);
  }

  /** Stops sending; unanswered deliveries stay stored. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#forgetAlarms();
    await Promise.allSettled(this.#underWay);
  }

  clear(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#last.clear();
    this.#forgetAlarms();
    this.#rows.clear();
    this.#settings.clear();
    this.refused = 0;
  }

  #dispatch(delivery: Delivery, astray: boolean): void {
    const { signal } = this.#stopping;
    const before = astray ? undefined : this.#last.get(delivery.contactId);
    const work = this.#deliver(delivery, before, astray, signal).catch(() => undefined);
    if (!astray) this.#last.set(delivery.contactId, work);
    this.#underWay.add(work);
    work.finally(() => {
      this.#underWay.delete(work);
      if (this.#last.get(delivery.contactId) === work) this.#last.delete(delivery.contactId);
    });
  }

  async #deliver(
    delivery: Delivery,
    before: Promise<void> | undefined,
    astray: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { rules, counts } = this.#strays;
    const delay = delivery.url.includes(rules.match) ? rules.delayMs : 0;
    const pause = delay + (astray ? 100 + Math.random() * 600 : 0);
    if (before) await Promise.race([before, sleep(1_000, undefined, { signal, ref: false })]);
    if (pause > 0) await sleep(pause, undefined, { signal });
    const status = await this.#send(delivery, signal);
    if (signal.aborted) return;
    const { refused = 0 } = delivery;
    if (status === 429) this.refused += 1;
    if (status === 429 && refused < RETRIES) {
      const later = { ...delivery, refused: refused + 1, dueAt: this.#clock.now() + RETRY_MS };
      this.#rows.set(delivery.id, later);
      this.#arm(later);
      return;
    }
    if (this.#strays.applies("repeat", { url: delivery.url, method: "POST" })) {
      counts.repeated += 1;
      await this.#send(delivery, signal);
    }
    if (!signal.aborted) this.#rows.delete(delivery.id);
  }

  #arm({ dueAt, ...delivery }: Delivery): void {
    if (dueAt === undefined) return;
    const send = () => {
      this.#alarms.delete(delivery.id);
      this.#rows.set(delivery.id, delivery);
      this.#dispatch(delivery, false);
    };
    this.#alarms.set(delivery.id, setTimeout(send, this.#clock.realDelay(dueAt)).unref());
  }

  #forgetAlarms(): void {
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
    this.#alarms.clear();
  }

  /** Status of the response; null without one. */
  async #send({ url, body }: Delivery, signal: AbortSignal): Promise<number | null> {
    try {
      const answer = await fetch(url, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-ghl-signature": sign(null, Buffer.from(body), this.#key).toString("base64"),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      await answer.body?.cancel();
      if (answer.ok) this.#strays.counts.acknowledged += 1;
      return answer.status;
    } catch {
      return null;
    }
  }
}
