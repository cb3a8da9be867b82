import { z } from "zod";
import { type CrmApp, type CrmGrant, fixedAccess } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type Client, createClient, type GoHighLevelOptions } from "./client.ts";
import { unreachable } from "./errors.ts";

export interface GoHighLevelAppOptions extends Pick<GoHighLevelOptions, "baseUrl" | "pace"> {
  clientId: string;
  clientSecret: string;
  /** The page on which a location is chosen. Its own query parameters are kept. */
  authorizeUrl: string;
  tokenUrl: string;
  /** The redirect URI registered at HighLevel. */
  redirectUri: string;
  /** Timeout of the token endpoint in ms; 30 s by default, because a lost response costs the connection. */
  timeoutMs?: number;
}

/** The scopes that the portal requests. https://marketplace.gohighlevel.com/docs/Authorization/Scopes */
const appScopes = [
  "contacts.readonly",
  "contacts.write",
  "users.readonly",
  "locations.readonly",
  "locations/customFields.readonly",
  "locations/customFields.write",
  "conversations.readonly",
  "conversations/message.readonly",
];

/** `GetAccessCodeSuccessfulResponseDto` of the vendor's API description, with the fields that are used. */
const grantSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().nullish(),
  userType: z.string().nullish(),
  locationId: z.string().nullish(),
  companyId: z.string().nullish(),
  approvedLocations: z.array(z.string()).nullish(),
});

const refusalSchema = z.object({
  error: z.unknown().optional(),
  error_description: z.unknown().optional(),
  message: z.unknown().optional(),
});
const locationSchema = z.object({ location: z.object({ name: z.string().trim().min(1) }) });

const provider = "gohighlevel";
const usualTimeoutMs = 30_000;

function toGrant(answer: z.output<typeof grantSchema>): CrmGrant {
  const { approvedLocations, userType, scope } = answer;
  const ofOne = userType !== "Company" && (approvedLocations?.length ?? 0) <= 1;
  const granted = scope?.split(/[\s,]+/).filter(Boolean);
  return {
    tokens: { accessToken: answer.access_token, refreshToken: answer.refresh_token },
    expiresInSeconds: answer.expires_in,
    locationId: (ofOne && answer.locationId) || null,
    companyId: answer.companyId ?? null,
    missingScopes: granted ? appScopes.filter((each) => !granted.includes(each)) : [],
  };
}

/** Statuses of the vendor's refusals. A 403 comes from a proxy in front of it (the vendor's description: apps/oauth.json). */
const refusals = new Set([400, 401, 422]);

/**
 * Returns the failure for a status. A refusal counts only with the vendor's own error text; a proxy's page is an outage. Only
 * `invalid_grant` means that the token was used before or revoked; every other code concerns the app or the request (RFC 6749 §5.2).
 */
function failureOf(status: number, text: string): ProviderError {
  const cause = new Error(`${status} ${text.slice(0, 200).replaceAll(/"[^"]{40,}"/g, '"…"')}`);
  let code: string | undefined;
  let words = "";
  try {
    const { error, error_description, message } = refusalSchema.parse(JSON.parse(text));
    words = [error, error_description, message].flat().join(" ").trim();
    code = /^[a-z]+(?:_[a-z]+)+$/.exec(String(error))?.[0];
  } catch {
    // The body is not the vendor's.
  }
  const failure = (kind: ProviderError["kind"], message: string) =>
    new ProviderError({ provider, kind, message, cause });
  if (status === 429) return failure("rate-limited", "GoHighLevel is busy (429).");
  if (words === "" || !refusals.has(status)) return failure("unavailable", `GoHighLevel failed (${status}).`);
  const isOurs = code ? code !== "invalid_grant" : /client|redirect/i.test(words);
  if (isOurs) return failure("invalid", "GoHighLevel does not take the app's id, secret or address.");
  return failure("auth", "GoHighLevel refused the app's token.");
}

/** The portal as an app of HighLevel's marketplace (OAuth 2.0, authorization code; the vendor's description: apps/oauth.json). */
export function createGoHighLevelApp(options: GoHighLevelAppOptions): CrmApp {
  const { baseUrl, pace, clientId, clientSecret, redirectUri, timeoutMs = usualTimeoutMs } = options;

  /** Uses fetch, because the vendor's client supports neither another address nor a lost response. */
  async function ask(fields: Record<string, string>): Promise<CrmGrant> {
    let status: number;
    let text: string;
    try {
      const answer = await fetch(options.tokenUrl, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams({
          client_id: clientId,
          client_secret: clientSecret,
          user_type: "Location",
          ...fields,
        }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = answer.status;
      text = await answer.text();
    } catch (error) {
      throw unreachable(error);
    }
    if (status < 200 || status >= 300) throw failureOf(status, text);
    try {
      return toGrant(grantSchema.parse(JSON.parse(text)));
    } catch {
      // The error may contain the tokens, so it must not be logged.
      throw unreachable(new Error("the token endpoint sent an answer that cannot be read"));
    }
  }

  return {
    installUrl(state) {
      const url = new URL(options.authorizeUrl);
      const asked = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, state };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      if (!url.searchParams.has("scope")) url.searchParams.set("scope", appScopes.join(" "));
      return url.href;
    },

    exchangeCode: (code) => ask({ grant_type: "authorization_code", code, redirect_uri: redirectUri }),

    refresh: (refreshToken) => ask({ grant_type: "refresh_token", refresh_token: refreshToken }),

    async locationName(token, locationId) {
      const client: Client = createClient({ baseUrl, pace, access: fixedAccess({ token, locationId }) });
      try {
        const { location } = await client.ask({
          send: (sdk, request) => sdk.locations.getLocation({ locationId }, request),
          schema: locationSchema,
          tries: 2,
        });
        return location.name;
      } catch (error) {
        if (error instanceof ProviderError && error.kind === "auth") return locationId;
        throw error;
      }
    },

    isOurs(appId) {
      // A client id usually begins with the app's id.
      const own = /^([0-9a-f]{24})-/.exec(clientId)?.[1];
      return appId === null || own === undefined || own === appId;
    },
  };
}
