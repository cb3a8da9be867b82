import { createECDH, randomBytes } from "node:crypto";
import type { Store, Table } from "../state/store.ts";
import { decryptMessage } from "./message.ts";

/** A browser that has subscribed: what it told its push service, and its own half of the keys. */
export interface PushBrowser {
  id: string;
  /** The portal's public key that it subscribed with, base64url; only its owner may send. */
  applicationServerKey: string;
  /** Base64url. */
  privateKey: string;
  p256dh: string;
  auth: string;
  isGone: boolean;
}

/** A message as the browser reads it. */
export interface PushMessage {
  device: string;
  ttl: number;
  urgency: string | null;
  text: string;
}

const KEPT_MESSAGES = 1_000;

/** Everything the simulated push service and the browsers behind it hold. */
export class PushData {
  /** Whether VAPID, TTL, encoding and size are looked at. */
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

  /** The browser's owner takes the permission back: its address is answered 410. */
  end(browser: PushBrowser): void {
    this.#browsers.set(browser.id, { ...browser, isGone: true });
  }

  /** Keeps what a browser reads. Errors: where it cannot be decrypted by that browser's keys. */
  deliver(browser: PushBrowser, body: Buffer, { ttl, urgency }: Pick<PushMessage, "ttl" | "urgency">): void {
    this.messages.push({ device: browser.id, ttl, urgency, text: decryptMessage(body, browser) });
    if (this.messages.length > KEPT_MESSAGES) this.messages.shift();
  }
}
