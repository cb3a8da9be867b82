import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { GHL_CLIENT_ID, GHL_CLIENT_SECRET, GHL_LOCATIONS } from "../defaults.ts";
import type { Faults } from "../faults.ts";
import { isRegistered, OAuthError } from "../oauth.ts";
import { escaped, page } from "../own-page.ts";
import type { AppData } from "./app-data.ts";
import { GhlError, ghlFailure } from "./errors.ts";

type Params = Record<string, string | undefined>;

const html = "text/html; charset=utf-8";
/** `GetAccessCodebodyDto` of the vendor's description. */
const TOKEN_FIELDS = [
  "client_id",
  "client_secret",
  "grant_type",
  "code",
  "refresh_token",
  "user_type",
  "redirect_uri",
];

/** The marketplace's page for choosing the app's location. */
export function marketplaceRoutes(
  data: AppData,
  portalUrl: string | null,
  onInstall: (locationIds: string[]) => void,
) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook("onSend", async (_request, reply) => {
      reply.header("cache-control", "no-store").header("x-frame-options", "DENY");
    });

    app.get<{ Querystring: Params }>("/v2/oauth/chooselocation", async ({ query, url }, reply) => {
      const fault = faultOf(query, portalUrl);
      reply.type(html).code(fault ? 400 : 200);
      return fault ? refusal(fault) : choice(url.split("?")[1] ?? "", query.scope ?? "");
    });

    app.post<{ Body: Params | null }>("/install", async ({ body }, reply) => {
      const query: Params = Object.fromEntries(new URLSearchParams(body?.request ?? ""));
      const fault = faultOf(query, portalUrl);
      if (fault) return reply.type(html).code(400).send(refusal(fault));
      const back = new URL(String(query.redirect_uri));
      if (query.state !== undefined) back.searchParams.set("state", query.state);
      if (body?.decision !== "install") {
        back.searchParams.set("error", "access_denied");
        return reply.redirect(back.href, 302);
      }
      const locationIds = (body.location ?? "").split(",");
      const redirectUri = String(query.redirect_uri);
      back.searchParams.set("code", data.newCode({ locationIds, scope: query.scope ?? "", redirectUri }));
      onInstall(locationIds);
      return reply.redirect(back.href, 302);
    });
  };
}

/** The token endpoint: refresh tokens can be used once. */
export function tokenRoutes(data: AppData, faults: Faults) {
  return async (app: FastifyInstance): Promise<void> => {
    faults.guard(app, "ghl", ghlFailure);
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof OAuthError || error instanceof GhlError)
        return reply.code(error.statusCode).send(error.body);
      const status = error.statusCode ?? 500;
      return reply.code(status).send(ghlFailure(status, request.url));
    });

    app.post<{ Body: Params | null }>("/token", async ({ body, headers }) => {
      if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
        throw new GhlError(422, ["client_id should not be empty"]);
      const given = body ?? {};
      const unknown = Object.keys(given).filter((name) => !TOKEN_FIELDS.includes(name));
      if (unknown.length > 0)
        throw new GhlError(
          422,
          unknown.map((name) => `property ${name} should not exist`),
        );
      if (given.user_type !== undefined && !["Company", "Location"].includes(given.user_type))
        throw new GhlError(422, ["user_type must be one of the following values: Company, Location"]);
      checkClient(given);
      if (given.grant_type === "authorization_code")
        return data.exchange(given.code ?? "", given.redirect_uri);
      if (given.grant_type === "refresh_token") return data.refresh(given.refresh_token ?? "");
      throw new GhlError(422, ["grant_type must be one of the following values"]);
    });
  };
}

/** The error that the marketplace shows on its own page; null if there is none. */
function faultOf(query: Params, portalUrl: string | null): string | null {
  if (query.response_type !== "code") return "error.invalidResponseType";
  if (query.client_id !== GHL_CLIENT_ID) return "error.noAppVersionIdFound";
  // The marketplace refuses redirect addresses that contain its name.
  if (/ghl|highlevel/i.test(query.redirect_uri ?? ""))
    return "The redirect URL must not contain a reference to HighLevel.";
  if (!isRegistered(query.redirect_uri ?? "", portalUrl)) return "error.invalidRedirectUri";
  return query.scope ? null : "error.invalidScope";
}

function checkClient(given: Params): void {
  const secret = Buffer.from(given.client_secret ?? "");
  const wanted = Buffer.from(GHL_CLIENT_SECRET);
  const known = secret.length === wanted.length && timingSafeEqual(secret, wanted);
  if (given.client_id !== GHL_CLIENT_ID || !known)
    throw new OAuthError("invalid_client", "Invalid client credentials", 401);
}

function choice(request: string, scope: string): string {
  const every = GHL_LOCATIONS.map(({ id }) => id).join(",");
  const choices = [...GHL_LOCATIONS, { id: every, name: "All locations of the agency" }].map(
    ({ id, name }, index) =>
      `<label><input type="radio" name="location" value="${id}"${index === 0 ? " checked" : ""}> ${escaped(name)}</label>`,
  );
  return page(
    "Install – simulated HighLevel",
    `<h1>Where is the portal to be installed?</h1>
<small>This page stands in for HighLevel. Nothing leaves this machine.</small>
<form method="post" action="/ghl-marketplace/install">
<input type="hidden" name="request" value="${escaped(request)}">
${choices.join("\n")}
<p><small>It asks for: ${escaped(scope)}</small></p>
<div><button name="decision" value="deny">Cancel</button><button name="decision" value="install">Install</button></div>
</form>`,
  );
}

const refusal = (fault: string) =>
  page("Not installed", `<h1>The app cannot be installed</h1><p>${escaped(fault)}</p>`);
