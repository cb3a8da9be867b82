import type { Store, Table } from "../state/store.ts";
import type { Method, Target } from "./leg.ts";

/** Where Twilio sends what happens at the account's number, as set on its IncomingPhoneNumber. */
export interface NumberSettings {
  voiceUrl: string;
  voiceMethod: Method;
  voiceFallbackUrl: string;
  voiceFallbackMethod: Method;
  smsUrl: string;
  smsMethod: Method;
  statusCallback: string;
  statusCallbackMethod: Method;
}

/**
 * The webhooks of the account's only number. Until someone sets others through the REST API they point to the
 * portal's address; without one nobody is told of inbound calls and texts.
 */
export class SystemNumber {
  readonly #rows: Table<Partial<NumberSettings>>;
  readonly #defaults: NumberSettings;

  constructor(store: Store, portalUrl: string | null) {
    this.#rows = store.table<Partial<NumberSettings>>("number-settings");
    const at = (path: string) => (portalUrl ? `${portalUrl.replace(/\/+$/, "")}/api/twilio${path}` : "");
    this.#defaults = {
      voiceUrl: at("/voice/inbound"),
      voiceMethod: "POST",
      voiceFallbackUrl: "",
      voiceFallbackMethod: "POST",
      smsUrl: at("/sms/inbound"),
      smsMethod: "POST",
      statusCallback: at("/voice/inbound-status"),
      statusCallbackMethod: "POST",
    };
  }

  get settings(): NumberSettings {
    return { ...this.#defaults, ...this.#rows.get("number") };
  }

  update(changes: Partial<NumberSettings>): void {
    this.#rows.set("number", { ...this.#rows.get("number"), ...changes });
  }

  clear(): void {
    this.#rows.clear();
  }

  /** Null where nobody is to be told; so the others. */
  get sms(): Target | null {
    return targetOrNull(this.settings.smsUrl, this.settings.smsMethod);
  }

  get voice(): Target | null {
    return targetOrNull(this.settings.voiceUrl, this.settings.voiceMethod);
  }

  get voiceFallback(): Target | null {
    return targetOrNull(this.settings.voiceFallbackUrl, this.settings.voiceFallbackMethod);
  }

  /** Told of the end of inbound calls. */
  get status(): Target | null {
    return targetOrNull(this.settings.statusCallback, this.settings.statusCallbackMethod);
  }
}

function targetOrNull(url: string, method: Method): Target | null {
  return url ? { url, method } : null;
}
