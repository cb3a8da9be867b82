import { MESSAGING_SERVICE_SID } from "../defaults.ts";
import { newSid } from "../ids.ts";
import type { Store, Table } from "../state/store.ts";
import { type AccountNumbers, NUMBER_SID } from "./account-numbers.ts";
import type { Method, Target } from "./leg.ts";

/** A Messaging Service with its senders (twilio.com/docs/messaging/api/service-resource). */
export interface ServiceRow {
  sid: string;
  friendlyName: string;
  inboundRequestUrl: string | null;
  inboundMethod: Method;
  fallbackUrl: string | null;
  fallbackMethod: Method;
  statusCallback: string | null;
  stickySender: boolean;
  useInboundWebhookOnNumber: boolean;
  /** Its sender pool, in the order of addition. */
  numberSids: string[];
  createdAt: number;
  updatedAt: number;
}

export type ServiceSettings = Omit<ServiceRow, "sid" | "numberSids" | "createdAt" | "updatedAt">;

const unset: ServiceSettings = {
  friendlyName: "Sandbox",
  inboundRequestUrl: null,
  inboundMethod: "POST",
  fallbackUrl: null,
  fallbackMethod: "POST",
  statusCallback: null,
  stickySender: true,
  useInboundWebhookOnNumber: false,
};

/** Messaging Services: one exists from the start, which has the system number and leaves inbound SMS to the number's webhook. */
export class MessagingServices {
  readonly #rows: Table<ServiceRow>;
  /** The sender that a person already knows. */
  readonly #sticky: Table<string>;
  readonly #numbers: AccountNumbers;

  constructor(store: Store, numbers: AccountNumbers) {
    this.#rows = store.table<ServiceRow>("messaging-services");
    this.#sticky = store.table<string>("sticky-senders");
    this.#numbers = numbers;
    if (this.#rows.size === 0) this.seed();
  }

  seed(): void {
    this.#rows.clear();
    this.#sticky.clear();
    const first = { ...unset, useInboundWebhookOnNumber: true };
    this.#add(MESSAGING_SERVICE_SID, first, [NUMBER_SID]);
  }

  list(): ServiceRow[] {
    return this.#rows.values();
  }

  find(sid: string): ServiceRow | undefined {
    return this.#rows.get(sid);
  }

  create(settings: Partial<ServiceSettings>): ServiceRow {
    return this.#add(newSid("MG"), { ...unset, ...settings }, []);
  }

  update(row: ServiceRow, changes: Partial<Omit<ServiceRow, "sid">>): ServiceRow {
    const updated = { ...row, ...changes, updatedAt: Date.now() };
    this.#rows.set(row.sid, updated);
    return updated;
  }

  /** The service whose pool contains this number; a number is in one pool at most. */
  of(phoneNumber: string): ServiceRow | undefined {
    const sid = this.#numbers.find(phoneNumber)?.sid ?? "";
    return this.#rows.values().find(({ numberSids }) => numberSids.includes(sid));
  }

  /** The sender for this person: the number that they already know, otherwise the pool's next one. Null if the pool is empty. */
  senderTo(service: ServiceRow, to: string): string | null {
    const pool = service.numberSids.flatMap((sid) => this.#numbers.find(sid)?.phoneNumber ?? []);
    const key = `${service.sid}/${to}`;
    const known = this.#sticky.get(key);
    if (service.stickySender && known && pool.includes(known)) return known;
    const next = pool[this.#sticky.size % Math.max(1, pool.length)] ?? null;
    if (next) this.#sticky.set(key, next);
    return next;
  }

  /** The webhook of an SMS to this number: a service's own address takes precedence over that of its numbers. */
  inboundTarget(phoneNumber: string): Target | null {
    const service = this.of(phoneNumber);
    if (!service || service.useInboundWebhookOnNumber) return this.#numbers.find(phoneNumber)?.sms ?? null;
    const { inboundRequestUrl: url, inboundMethod: method } = service;
    return url ? { url, method } : null;
  }

  #add(sid: string, settings: ServiceSettings, numberSids: string[]): ServiceRow {
    const now = Date.now();
    const row = { ...settings, sid, numberSids, createdAt: now, updatedAt: now };
    this.#rows.set(sid, row);
    return row;
  }
}
