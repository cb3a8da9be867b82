import { ProviderError } from "./provider-error.ts";

/** What an installation gave us; kept encrypted. */
export interface CrmAppTokens {
  accessToken: string;
  /** For one use: each refresh answers another. */
  refreshToken: string;
}

/** The answer to an installation or a refresh. */
export interface CrmGrant {
  tokens: CrmAppTokens;
  /** How long the access token lasts. */
  expiresInSeconds: number;
  /** Null where it is good for several locations, or for none. */
  locationId: string | null;
  companyId: string | null;
  /** What the portal needs and was not granted; empty where the answer names no scopes. */
  missingScopes: string[];
}

/**
 * The CRM's app: how the portal is installed at a location and keeps its tokens. Every method throws `ProviderError`: `auth` where code or
 * refresh token is refused for good; `invalid` where the app itself is (its id or secret); `rate-limited`, `unavailable` (the answer may
 * be lost). Nothing is tried again in here.
 */
export interface CrmApp {
  /** Where the browser goes to choose a location. */
  installUrl(state: string): string;
  exchangeCode(code: string): Promise<CrmGrant>;
  refresh(refreshToken: string): Promise<CrmGrant>;
  /** What people call the location that a token is for; its id where the token may not read the name. */
  locationName(accessToken: string, locationId: string): Promise<string>;
  /** Whether an INSTALL or UNINSTALL that names this app's id is about us. */
  isOurs(appId: string | null): boolean;
}

/** The token that requests carry now, and the location it is for. */
export interface CrmKey {
  token: string;
  locationId: string;
}

/** Which key requests carry. */
export interface CrmAccess {
  /** Errors: `CrmKeyMissing`. */
  key(): Promise<CrmKey>;
  /** The CRM refused this key (401): true where there is another one by now. Errors as of `key`. */
  refused(key: CrmKey): Promise<boolean>;
}

/** There is no key to ask with: nothing was sent, and what waits for the CRM goes on waiting. */
export class CrmKeyMissing extends ProviderError {}

/** There is none that the CRM would take, until an administrator connects. */
export class CrmNotConnected extends CrmKeyMissing {
  readonly reason: "not_connected" | "connect_again" | "app_refused";

  constructor(reason: CrmNotConnected["reason"], message: string) {
    super({ provider: "gohighlevel", kind: "auth", message });
    this.reason = reason;
  }
}

/** The key is taken, and may not do this. */
export class CrmScopeMissing extends ProviderError {}

/** The key is taken, and belongs to another location than the one that is asked about. */
export class CrmWrongLocation extends ProviderError {}

/** The key has ended, and the CRM gives no other at the moment. */
export class CrmKeyAwaited extends CrmKeyMissing {
  constructor() {
    super({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel is not answering at the moment. Please try again in a moment.",
    });
  }
}

/** A key that never changes. */
export function fixedAccess(key: CrmKey): CrmAccess {
  return { key: async () => key, refused: async () => false };
}
