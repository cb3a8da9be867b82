import { SYSTEM_NUMBER } from "../defaults.ts";
import { newSid } from "../ids.ts";
import type { Store, Table } from "../state/store.ts";
import type { Method, Target } from "./leg.ts";

/** Webhook addresses of a number, as set on its IncomingPhoneNumber. */
export interface NumberSettings {
  voiceUrl: string;
  voiceMethod: Method;
  voiceFallbackUrl: string;
  voiceFallbackMethod: Method;
  voiceApplicationSid: string;
  trunkSid: string;
  smsUrl: string;
  smsMethod: Method;
  smsFallbackUrl: string;
  smsFallbackMethod: Method;
  smsApplicationSid: string;
  statusCallback: string;
  statusCallbackMethod: Method;
}

export const NUMBER_SID = `PN${"1".padStart(32, "0")}`;

const unset: NumberSettings = {
  voiceUrl: "",
  voiceMethod: "POST",
  voiceFallbackUrl: "",
  voiceFallbackMethod: "POST",
  voiceApplicationSid: "",
  trunkSid: "",
  smsUrl: "",
  smsMethod: "POST",
  smsFallbackUrl: "",
  smsFallbackMethod: "POST",
  smsApplicationSid: "",
  statusCallback: "",
  statusCallbackMethod: "POST",
};

/** A number of the account and the webhooks of its calls and SMS; without an address nothing is sent. */
export class AccountNumber {
  readonly sid: string;
  readonly phoneNumber: string;
  readonly settings: NumberSettings;

  constructor(sid: string, phoneNumber: string, settings: NumberSettings) {
    this.sid = sid;
    this.phoneNumber = phoneNumber;
    this.settings = settings;
  }

  get sms(): Target | null {
    return targetOrNull(this.settings.smsUrl, this.settings.smsMethod);
  }

  get voice(): Target | null {
    return targetOrNull(this.settings.voiceUrl, this.settings.voiceMethod);
  }

  get voiceFallback(): Target | null {
    return targetOrNull(this.settings.voiceFallbackUrl, this.settings.voiceFallbackMethod);
  }

  /** Receives the end of inbound calls. */
  get status(): Target | null {
    return targetOrNull(this.settings.statusCallback, this.settings.statusCallbackMethod);
  }
}

/**
 * The account's numbers: the system number, and those added by the control API. Until the REST API sets others, the system number's
 * addresses are the portal's; an added number has none.
 */
export class AccountNumbers {
  readonly #settings: Table<Partial<NumberSettings>>;
  readonly #added: Table<{ phoneNumber: string }>;
  readonly #defaults: NumberSettings;

  constructor(store: Store, addresses: { portalUrl: string | null; fallbackUrl: string | null }) {
    this.#settings = store.table<Partial<NumberSettings>>("number-settings");
    this.#added = store.table<{ phoneNumber: string }>("numbers");
    const { portalUrl, fallbackUrl } = addresses;
    const at = (path: string) =>
      portalUrl ? `${portalUrl.replace(/\/+$/, "")}/api/twilio${path}#rc=5&rp=5xx,ct,rt` : "";
    this.#defaults = {
      ...unset,
      voiceUrl: at("/voice/inbound"),
      voiceFallbackUrl: portalUrl && fallbackUrl ? fallbackUrl : "",
      smsUrl: at("/sms/inbound"),
      statusCallback: at("/voice/inbound-status"),
    };
  }

  list(): AccountNumber[] {
    const system = { ...this.#defaults, ...this.#settings.get("number") };
    return [
      new AccountNumber(NUMBER_SID, SYSTEM_NUMBER, system),
      ...this.#added
        .entries()
        .map(
          ([sid, { phoneNumber }]) =>
            new AccountNumber(sid, phoneNumber, { ...unset, ...this.#settings.get(sid) }),
        ),
    ];
  }

  /** By its sid or by the number itself. */
  find(key: string): AccountNumber | undefined {
    return this.list().find(({ sid, phoneNumber }) => sid === key || phoneNumber === key);
  }

  add(phoneNumber: string): AccountNumber {
    const known = this.find(phoneNumber);
    if (known) return known;
    const sid = newSid("PN");
    this.#added.set(sid, { phoneNumber });
    return new AccountNumber(sid, phoneNumber, unset);
  }

  update(sid: string, changes: Partial<NumberSettings>): void {
    const key = sid === NUMBER_SID ? "number" : sid;
    this.#settings.set(key, { ...this.#settings.get(key), ...changes });
  }

  clear(): void {
    this.#settings.clear();
    this.#added.clear();
  }
}

function targetOrNull(url: string, method: Method): Target | null {
  return url ? { url, method } : null;
}
