import { z } from "zod";
import type { CrmApp, CrmGrant } from "../../ports/crm-app.ts";
import { fixedAccess } from "../../ports/crm-app.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type Client, createClient, type GoHighLevelOptions } from "./client.ts";
import { unreachable } from "./errors.ts";

export interface GoHighLevelAppOptions extends Pick<GoHighLevelOptions, "baseUrl" | "pace"> {
  clientId: string;
  clientSecret: string;
  /** The page on which a location is chosen; its own parameters stay. */
  authorizeUrl: string;
  tokenUrl: string;
  /** Where HighLevel sends the browser back to, as registered there. */
  redirectUri: string;
  /** How long the token endpoint may take, ms; 30 s unless said otherwise: an answer that is lost costs the connection. */
  timeoutMs?: number;
}

/** What the portal asks for. https://marketplace.gohighlevel.com/docs/Authorization/Scopes */
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

/** `GetAccessCodeSuccessfulResponseDto` of the vendor's description, as far as it is read. */
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

/** With these the vendor refuses; 403 comes from what stands before it (the vendor's description: apps/oauth.json). */
const refusals = new Set([400, 401, 422]);

/**
 * The failure that a status means. A refusal counts only in the vendor's own words: a proxy's page is an outage. Only `invalid_grant` says
 * that the token was used up or taken back; every other code is about the app or the request (RFC 6749 §5.2).
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
    // Nobody's words.
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

  /** By hand: the vendor's client knows neither another address nor an answer that may be lost. */
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
      // Its words may hold the tokens: they go to no log.
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
      // A client id begins with the app's own, where it has the usual shape.
      const own = /^([0-9a-f]{24})-/.exec(clientId)?.[1];
      return appId === null || own === undefined || own === appId;
    },
  };
}
