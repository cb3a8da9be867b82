import { join } from "node:path";
import { DEFAULT_SEED_LEADS } from "./defaults.ts";
import { Faults } from "./faults.ts";
import { AppData, appEvent } from "./gohighlevel/app-data.ts";
import { CrmData } from "./gohighlevel/crm-data.ts";
import { CrmHooks } from "./gohighlevel/hooks.ts";
import { USUAL_MANNERS } from "./gohighlevel/manners.ts";
import { RateLimit } from "./gohighlevel/rate-limit.ts";
import { GoogleData } from "./google/google-data.ts";
import { type History, pastContact, pastCrmCall, pastLeg, pastRecording, pastSms } from "./history.ts";
import { LoginData } from "./login/login-data.ts";
import { PushData } from "./push/push-data.ts";
import { Clock } from "./state/clock.ts";
import { Store, type Table } from "./state/store.ts";
import { Account, FULL_ACCOUNT } from "./twilio/account.ts";
import { AccountNumbers } from "./twilio/account-numbers.ts";
import { AuthTokens } from "./twilio/auth-tokens.ts";
import type { BinScripts } from "./twilio/bins.ts";
import { CallEngine } from "./twilio/call-engine.ts";
import { SandboxMessages } from "./twilio/messages.ts";
import { MessagingServices } from "./twilio/messaging-services.ts";
import { NO_OUTAGE, Outage } from "./twilio/outage.ts";
import { NO_WEBHOOK_RULES, Outbox } from "./twilio/outbox.ts";
import { PHONE_TIMES, Phones } from "./twilio/phones.ts";
import { PRICE_RULES, type PriceRules } from "./twilio/prices.ts";
import { SPEECH } from "./twilio/speech.ts";

export interface SandboxOptions {
  /** The state is in `<dataDir>/sandbox`. */
  dataDir: string;
  /** How many times faster than real time phones ring and talk; 1 by default. */
  speed?: number;
  seedLeads?: number;
  /** Whether GHL's limit of 100 requests per 10 s is enforced; true by default. */
  ghlRateLimit?: boolean;
  /** The portal's public address: the target of the system number's webhooks until the REST API sets others. */
  portalUrl?: string;
  /** The sandbox's own address: the number falls back to a TwiML Bin that it serves. */
  ownUrl?: string;
}

/** All parts behind the sandbox's routes. */
export class Sandbox {
  readonly store: Store;
  readonly clock: Clock;
  readonly phones: Phones;
  readonly outbox: Outbox;
  readonly engine: CallEngine;
  readonly numbers: AccountNumbers;
  readonly services: MessagingServices;
  readonly tokens = new AuthTokens();
  readonly outage = new Outage();
  readonly texts: SandboxMessages;
  readonly crm: CrmData;
  readonly crmHooks: CrmHooks;
  readonly crmManners = { ...USUAL_MANNERS };
  readonly ghlApp: AppData;
  readonly google: GoogleData;
  readonly login: LoginData;
  readonly push: PushData;
  readonly rateLimit: RateLimit;
  /** Names of people who are not in the CRM, by number. */
  readonly names: Table<string>;
  readonly faults = new Faults();
  readonly account = new Account();
  /**
   * How recordings are served: without Range, which the vendor does not promise, or with it; directly, or by a redirect to the storage or
   * to another address.
   */
  readonly media: { range: boolean; redirect: string | null } = { range: false, redirect: null };
  /** Fallback TwiML that replaces the operations guide's. */
  readonly bins: BinScripts = { number: null, call: null };
  /** When prices become available. */
  readonly prices: PriceRules = { ...PRICE_RULES };
  readonly #options: SandboxOptions;
  readonly #watchers = new Set<() => void>();

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.store = new Store(join(options.dataDir, "sandbox"));
    this.names = this.store.table<string>("names");
    this.clock = new Clock(this.store, options.speed ?? 1);
    this.phones = new Phones(this.store);
    this.outbox = new Outbox(this.store, { tokens: this.tokens, outage: this.outage });
    this.crmHooks = new CrmHooks(this.store, {
      clock: this.clock,
      strays: this.outbox,
      manners: this.crmManners,
      portalUrl: options.portalUrl ?? null,
    });
    this.crm = new CrmData(this.store, this.crmHooks);
    this.ghlApp = new AppData(this.store);
    this.google = new GoogleData(this.store);
    this.login = new LoginData(this.store);
    this.push = new PushData(this.store);
    this.rateLimit = new RateLimit(options.ghlRateLimit ?? true, () => this.clock.speed);
    this.numbers = new AccountNumbers(this.store, {
      portalUrl: options.portalUrl ?? null,
      fallbackUrl: options.ownUrl ? `${options.ownUrl}/bins/number-fallback` : null,
    });
    this.services = new MessagingServices(this.store, this.numbers);
    this.texts = new SandboxMessages({
      store: this.store,
      clock: this.clock,
      phones: this.phones,
      outbox: this.outbox,
      services: this.services,
      onChange: () => this.changed(),
    });
    this.engine = new CallEngine({
      store: this.store,
      clock: this.clock,
      phones: this.phones,
      outbox: this.outbox,
      account: this.account,
      numbers: this.numbers,
      way: { tokens: this.tokens, outage: this.outage },
      onChange: () => this.changed(),
      onRefusal: (number) => this.texts.planStop(number, PHONE_TIMES.saysNo),
    });
    if (!this.store.table("seeded").get("at")) this.#seed();
  }

  /** Resumes calls and webhooks of an earlier run. */
  start(): void {
    this.outbox.start();
    this.crmHooks.start();
    this.engine.start();
    this.texts.timers.start();
  }

  /** Resets the state to the seed, and removes rules and recorded requests. */
  reset(): void {
    this.#beginAnew(() => this.#seed());
  }

  /** Replaces the state by an invented history, in one transaction. */
  fill(history: History): void {
    this.#beginAnew(() => {
      this.crm.fill({
        contacts: history.contacts.map(pastContact),
        customFields: history.customFields,
        notes: history.notes,
        messages: history.crmCalls.map(pastCrmCall),
      });
      const { legs, recordings } = this.engine.exchange;
      for (const leg of history.legs) legs.set(leg.sid, pastLeg(leg));
      for (const recording of history.recordings) recordings.set(recording.sid, pastRecording(recording));
      this.texts.fill(history.texts.map(pastSms), history.optOuts);
      for (const { number, name } of history.names) this.names.set(number, name);
      this.phones.seed();
      this.store.table<string>("seeded").set("at", new Date().toISOString());
    });
  }

  #beginAnew(fill: () => void): void {
    this.store.transaction(() => {
      this.engine.clear();
      this.texts.clear();
      this.names.clear();
      this.numbers.clear();
      this.services.seed();
      this.tokens.reset();
      Object.assign(this.bins, { number: null, call: null });
      this.outage.rule = { ...NO_OUTAGE };
      this.ghlApp.clear();
      this.google.clear();
      this.login.clear();
      this.push.clear();
      this.outbox.clear();
      this.crmHooks.clear();
      this.crm.drop = { fields: [], count: 0 };
      Object.assign(this.crmManners, USUAL_MANNERS);
      this.outbox.rules = { ...NO_WEBHOOK_RULES };
      this.faults.clear();
      Object.assign(this.media, { range: false, redirect: null });
      Object.assign(this.prices, PRICE_RULES);
      this.engine.exchange.transcription.englishOnly = true;
      Object.assign(this.engine.speech, SPEECH);
      this.account.settings = { ...FULL_ACCOUNT };
      this.rateLimit.reset();
      this.rateLimit.enabled = this.#options.ghlRateLimit ?? true;
      fill();
    });
    this.setSpeed(this.#options.speed ?? 1);
    this.changed();
  }

  /** Sends a webhook about the installation or removal of the portal's app: webhooks are sent while it is installed. */
  notifyApp(type: "INSTALL" | "UNINSTALL", locationIds: string[]): void {
    this.crmManners.appInstalled = true;
    for (const id of locationIds) this.crmHooks.send(type, id, appEvent(type, id));
    this.crmManners.appInstalled = type === "INSTALL";
  }

  setSpeed(speed: number): void {
    this.clock.setSpeed(speed);
    this.#clockChanged();
  }

  /** Advances the simulated time at once and runs everything that became due. */
  turnClock(ms: number): void {
    this.clock.turn(ms);
    this.#clockChanged();
  }

  #clockChanged(): void {
    this.crmHooks.clockChanged();
    this.engine.exchange.timers.start();
    this.texts.timers.start();
  }

  /** Calls `onChange` whenever a call or a phone changes; returns a function that stops it. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async close(): Promise<void> {
    this.engine.stop();
    this.texts.timers.stop();
    await Promise.all([this.outbox.stop(), this.crmHooks.stop()]);
    this.store.close();
  }

  #seed(): void {
    this.store.transaction(() => {
      this.crm.seed(this.#options.seedLeads ?? DEFAULT_SEED_LEADS);
      this.phones.seed();
      this.store.table<string>("seeded").set("at", new Date().toISOString());
    });
  }
}
