import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LoginFailure } from "../../../ports/login-provider.ts";
import { sessionCookieName } from "./create-sign-in-library.ts";
import { recordFailedSignIn } from "./record-failed-sign-in.ts";
import { beginLogin, finishLogin, loginMs, type ProviderContext } from "./start-provider-sign-in.ts";

/**
 * Signing in at the external login provider: navigations, so they answer with redirects. A failure comes back to `/?login_error=<code>`
 * (`loginErrors` of the contract). `?from=` names the page to come back to. Only where a provider is set up. HEAD requests must begin and end nothing.
 */
export function registerProviderRoutes(
  app: FastifyInstance,
  context: ProviderContext & { secure: boolean },
): void {
  if (!context.loginProvider) return;
  const { secure } = context;
  const cookieName = `${sessionCookieName(secure)}-login`;
  // Lax: the browser comes back from another site.
  const cookie = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  const route = { schema: { hide: true }, exposeHeadRoute: false };

  const goTo = (reply: FastifyReply, url: string) =>
    reply.header("cache-control", "no-store").redirect(url, 303);
  async function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!(error instanceof LoginFailure)) throw error;
    if (error.code === "unknown_user")
      await recordFailedSignIn(context.database, { userId: null, address: request.ip });
    request.log.warn({ code: error.code, err: error }, "sign-in by the login provider refused");
    return goTo(reply, `/?login_error=${error.code}`);
  }

  app.get("/api/login", route, async (request, reply) => {
    try {
      const { from } = request.query as { from?: unknown };
      const { url, sealed } = await beginLogin(context, { from: typeof from === "string" ? from : "/" });
      reply.setCookie(cookieName, sealed, { ...cookie, maxAge: loginMs / 1000 });
      return goTo(reply, url);
    } catch (error) {
      return fail(error, request, reply);
    }
  });

  app.get("/api/login/callback", route, async (request, reply) => {
    reply.clearCookie(cookieName, cookie);
    try {
      const { user, cookies, device, page } = await finishLogin(context, {
        query: new URL(request.raw.url ?? "", "http://portal").search,
        sealed: request.cookies[cookieName],
        address: request.ip,
        userAgent: request.headers["user-agent"] ?? "",
        oldCookie: request.cookies[sessionCookieName(secure)],
        deviceCookie: request.cookies[context.devices.name],
      });
      request.log.info({ userId: user.id }, "signed in by the login provider");
      for (const header of cookies) reply.header("set-cookie", header);
      if (device) reply.setCookie(context.devices.name, device, context.devices.attributes);
      return goTo(reply, page);
    } catch (error) {
      return fail(error, request, reply);
    }
  });
}
