import { randomBytes, randomUUID } from "node:crypto";
import { GHL_APP_ID, GHL_COMPANY_ID, GHL_LOCATIONS, SEEDED_USERS } from "../defaults.ts";
import { OAuthError } from "../oauth.ts";
import type { Store, Table } from "../state/store.ts";

/** An authorization code of an installation; `locationIds` has one id, or several if a whole agency installed the app. */
interface Code {
  locationIds: string[];
  scope: string;
  redirectUri: string;
  expiresAt: number;
}

interface Grant {
  id: string;
  locationIds: string[];
  scope: string;
  /** The only valid one: each use returns another. */
  refreshToken: string;
}

interface Access {
  grantId: string;
  expiresAt: number;
}

const CODE_MS = 10 * 60_000;
const USUAL_SECONDS = 86_399;

/** The portal's app in the simulated marketplace: codes, grants, tokens. */
export class AppData {
  /** Lifetime of access tokens, in seconds. */
  expiresIn = USUAL_SECONDS;
  readonly #codes: Table<Code>;
  readonly #grants: Table<Grant>;
  readonly #access: Table<Access>;

  constructor(store: Store) {
    this.#codes = store.table("ghl-app-codes");
    this.#grants = store.table("ghl-app-grants");
    this.#access = store.table("ghl-app-access");
  }

  clear(): void {
    this.expiresIn = USUAL_SECONDS;
    for (const table of [this.#codes, this.#grants, this.#access]) table.clear();
  }

  newCode(code: Omit<Code, "expiresAt">): string {
    const text = randomBytes(20).toString("hex");
    this.#codes.set(text, { ...code, expiresAt: Date.now() + CODE_MS });
    return text;
  }

  /** Exchanges a code, which can be used once, for tokens. Errors: `OAuthError`. */
  exchange(text: string, redirectUri: string | undefined): Record<string, unknown> {
    const code = this.#codes.get(text);
    if (!code || code.expiresAt < Date.now())
      throw new OAuthError("invalid_grant", "Invalid grant: authorization code is invalid");
    this.#codes.delete(text);
    if (redirectUri !== undefined && redirectUri !== code.redirectUri)
      throw new OAuthError("invalid_grant", "Invalid grant: redirect_uri does not match");
    return this.#answer({ id: randomUUID(), locationIds: code.locationIds, scope: code.scope });
  }

  /** Exchanges a refresh token, which can be used once, for new tokens. Errors: `OAuthError` for any but the newest. */
  refresh(refreshToken: string): Record<string, unknown> {
    const grant = this.#grants.values().find((each) => each.refreshToken === refreshToken);
    if (!grant) throw new OAuthError("invalid_grant", "Invalid grant: refresh token is invalid");
    return this.#answer(grant);
  }

  /** The locations of an access token; undefined if it has expired or does not exist. */
  locationsOf(accessToken: string): string[] | undefined {
    const access = this.#access.get(accessToken);
    if (!access || access.expiresAt <= Date.now()) return undefined;
    return this.#grants.get(access.grantId)?.locationIds;
  }

  endAccess(): void {
    this.#access.clear();
  }

  /** Refuses all refresh tokens from now on, as if the responses with new ones had been lost. */
  endRefresh(): void {
    for (const grant of this.#grants.values())
      this.#grants.set(grant.id, { ...grant, refreshToken: randomUUID() });
  }

  isInstalled(locationId: string): boolean {
    return this.#grants.values().some(({ locationIds }) => locationIds.includes(locationId));
  }

  /** Uninstalls the app from a location: its tokens become invalid. */
  uninstall(locationId: string): void {
    for (const { id, locationIds } of this.#grants.values())
      if (locationIds.includes(locationId)) this.#grants.delete(id);
  }

  #answer(grant: Omit<Grant, "refreshToken">): Record<string, unknown> {
    const refreshToken = randomBytes(32).toString("hex");
    const accessToken = randomBytes(32).toString("hex");
    this.#grants.set(grant.id, { ...grant, refreshToken });
    this.#access.set(accessToken, {
      grantId: grant.id,
      expiresAt: Date.now() + this.expiresIn * 1_000,
    });
    const [locationId] = grant.locationIds;
    const isOne = grant.locationIds.length === 1;
    return {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: this.expiresIn,
      refresh_token: refreshToken,
      scope: grant.scope,
      userType: isOne ? "Location" : "Company",
      ...(isOne ? { locationId } : { approvedLocations: grant.locationIds, isBulkInstallation: true }),
      companyId: GHL_COMPANY_ID,
      userId: SEEDED_USERS[0]?.id,
    };
  }
}

/** Whether a location belongs to the simulated company. */
export const isLocation = (id: string): boolean => GHL_LOCATIONS.some((location) => location.id === id);

/** The fields of INSTALL and UNINSTALL. */
export function appEvent(type: "INSTALL" | "UNINSTALL", locationId: string): Record<string, unknown> {
  const event = { appId: GHL_APP_ID, locationId, companyId: GHL_COMPANY_ID };
  return type === "INSTALL" ? { ...event, userId: SEEDED_USERS[0]?.id } : event;
}
