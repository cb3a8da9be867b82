import { createECDH, randomBytes } from "node:crypto";
import type { Store, Table } from "../state/store.ts";
import { decryptMessage } from "./message.ts";

/** A subscribed browser: its subscription, and its private keys. */
export interface PushBrowser {
  id: string;
  /** The portal's public key of the subscription, base64url; only the owner of that key may send. */
  applicationServerKey: string;
  /** Base64url. */
  privateKey: string;
  p256dh: string;
  auth: string;
  isGone: boolean;
}

/** A decrypted message. */
export interface PushMessage {
  device: string;
  ttl: number;
  urgency: string | null;
  text: string;
}

const KEPT_MESSAGES = 1_000;

/** All data of the simulated push service and its browsers. */
export class PushData {
  /** Whether VAPID, TTL, encoding and size are checked. */
  strict = true;
  messages: PushMessage[] = [];
  readonly #browsers: Table<PushBrowser>;

  constructor(store: Store) {
    this.#browsers = store.table("push-browsers");
  }

  clear(): void {
    this.strict = true;
    this.messages = [];
    this.#browsers.clear();
  }

  subscribe(applicationServerKey: string): PushBrowser {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    const browser = {
      id: randomBytes(24).toString("base64url"),
      applicationServerKey,
      privateKey: pair.getPrivateKey("base64url"),
      p256dh: pair.getPublicKey("base64url"),
      auth: randomBytes(16).toString("base64url"),
      isGone: false,
    };
    this.#browsers.set(browser.id, browser);
    return browser;
  }

  browser(id: string): PushBrowser | undefined {
    return this.#browsers.get(id);
  }

  /** Revokes the browser's permission: requests to its address get 410. */
  end(browser: PushBrowser): void {
    this.#browsers.set(browser.id, { ...browser, isGone: true });
  }

  /** Decrypts and stores a message. Throws if the browser's keys cannot decrypt it. */
  deliver(browser: PushBrowser, body: Buffer, { ttl, urgency }: Pick<PushMessage, "ttl" | "urgency">): void {
    this.messages.push({ device: browser.id, ttl, urgency, text: decryptMessage(body, browser) });
    if (this.messages.length > KEPT_MESSAGES) this.messages.shift();
  }
}
