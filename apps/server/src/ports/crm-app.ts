import { ProviderError } from "./provider-error.ts";

/** OAuth tokens of an installation. Stored encrypted. */
export interface CrmAppTokens {
  accessToken: string;
  /** Valid once: each refresh returns a new one. */
  refreshToken: string;
}

/** The result of an installation or a refresh. */
export interface CrmGrant {
  tokens: CrmAppTokens;
  /** Lifetime of the access token. */
  expiresInSeconds: number;
  /** Null if the grant covers several locations or none. */
  locationId: string | null;
  companyId: string | null;
  /** Required scopes that were not granted; empty if the response lists no scopes. */
  missingScopes: string[];
}

/**
 * The CRM's app: how the portal is installed at a location and gets its tokens. Every method throws `ProviderError`: `auth` if the code or
 * refresh token is refused permanently; `invalid` if the app's id or secret is; `rate-limited`; `unavailable` (the response may have been
 * lost). No request is retried here.
 */
export interface CrmApp {
  /** URL of the page on which a location is chosen. */
  installUrl(state: string): string;
  exchangeCode(code: string): Promise<CrmGrant>;
  refresh(refreshToken: string): Promise<CrmGrant>;
  /** Name of the token's location; its id if the token may not read the name. */
  locationName(accessToken: string, locationId: string): Promise<string>;
  /** Whether an INSTALL or UNINSTALL event with this app id is about our app. */
  isOurs(appId: string | null): boolean;
}

/** The token that requests use now, and its location. */
export interface CrmKey {
  token: string;
  locationId: string;
}

/** Provides the key for requests. */
export interface CrmAccess {
  /** Errors: `CrmKeyMissing`. */
  key(): Promise<CrmKey>;
  /** Reports that the CRM refused this key (401). Returns true if there is a new key now. Errors: as of `key`. */
  refused(key: CrmKey): Promise<boolean>;
}

/** There is no key, so no request was sent. Changes in the outbox keep waiting. */
export class CrmKeyMissing extends ProviderError {}

/** There is no valid key until an administrator connects the CRM. */
export class CrmNotConnected extends CrmKeyMissing {
  readonly reason: "not_connected" | "connect_again" | "app_refused";

  constructor(reason: CrmNotConnected["reason"], message: string) {
    super({ provider: "gohighlevel", kind: "auth", message });
    this.reason = reason;
  }
}

/** The key is valid but lacks the scope for the request. */
export class CrmScopeMissing extends ProviderError {}

/** The key is valid but belongs to another location than the requested one. */
export class CrmWrongLocation extends ProviderError {}

/** The key expired, and the CRM does not issue a new one at the moment. */
export class CrmKeyAwaited extends CrmKeyMissing {
  constructor() {
    super({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel is not answering at the moment. Please try again in a moment.",
    });
  }
}

/** Access with a key that never changes. */
export function fixedAccess(key: CrmKey): CrmAccess {
  return { key: async () => key, refused: async () => false };
}
