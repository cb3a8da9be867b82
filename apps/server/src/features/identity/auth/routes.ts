import { endOtherSessions, endSession, listSessions, listSignIns } from "@portal/contract/routes/account";
import * as contract from "@portal/contract/routes/auth";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { LoginFailure } from "../../../ports/login-provider.ts";
import type { NotificationsContext } from "../../notifications/service.ts";
import { getUser, presentUser } from "../users/service.ts";
import { checkPasswordLink, usePasswordLink } from "./change-password.ts";
import { sessionCookieName } from "./create-sign-in-library.ts";
import { listSignIns as listOwnSignIns, type SignInOrigin, signInOptions } from "./list-sign-ins.ts";
import { type AuthContext, endOwnSessions, listOwnSessions, signIn, signOut } from "./service.ts";
import {
  beginLogin,
  findIdToken,
  finishLogin,
  loginMs,
  type ProviderContext,
  providerSignOut,
} from "./start-provider-sign-in.ts";
import { recordFailedSignIn } from "./throttle.ts";

const requestOrigin = (request: FastifyRequest): SignInOrigin => ({
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
});

/** Routes for signing in and out, and for the current user. */
export function registerAuthRoutes(
  app: FastifyInstance,
  context: ProviderContext & { secure: boolean },
): void {
  const { db } = context.database;

  async function signInAs(
    asAdmin: boolean,
    body: { email: string; password: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { email, password } = body;
    const oldCookie = request.cookies[sessionCookieName(context.secure)];
    const deviceCookie = request.cookies[context.devices.name];
    const input = { email, password, ...requestOrigin(request), asAdmin, oldCookie, deviceCookie };
    const signedIn = await signIn(context, input).catch((error: unknown) => {
      if (error instanceof AppError) request.log.warn({ code: error.code, asAdmin }, "sign-in refused");
      throw error;
    });
    for (const cookie of signedIn.cookies) reply.header("set-cookie", cookie);
    if ("codeNeeded" in signedIn) throw new AppError("second_factor_needed");
    const { user, device } = signedIn;
    request.log.info({ userId: user.id }, "signed in");
    if (device) reply.setCookie(context.devices.name, device, context.devices.attributes);
    return { message: "Signed in", user };
  }

  bindRoute(app, contract.getSignInOptions, async () => signInOptions(context));
  bindRoute(app, contract.login, ({ body, request, reply }) => signInAs(false, body, request, reply));
  bindRoute(app, contract.adminLogin, ({ body, request, reply }) => signInAs(true, body, request, reply));

  async function currentUser(userId: number) {
    const user = await getUser(db, userId);
    if (!user) throw new AppError("unauthenticated");
    return presentUser(user);
  }

  bindRoute(app, contract.getCurrentUser, ({ actor }) => currentUser(actor.userId));
  bindRoute(app, contract.adminSessionCheck, async ({ actor }) => ({
    authenticated: true as const,
    user: await currentUser(actor.userId),
  }));

  // A navigation, so it redirects; signing out twice is no error. HEAD requests must not change anything.
  const logout = { schema: { hide: true }, exposeHeadRoute: false };
  app.get("/api/logout", logout, async (request, reply) => {
    const session = await context.sessions.readAny(request, reply);
    const proof = session && (await findIdToken(context, session));
    if (session) {
      await signOut(context, session);
      request.log.info({ userId: session.userId }, "signed out");
    }
    reply.header("cache-control", "no-store").clearCookie(sessionCookieName(context.secure), {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: context.secure,
    });
    // After the session has ended, as a provider that hangs must not keep it alive.
    const url = (proof && (await providerSignOut(context, proof))) ?? "/";
    // A page that signs out without navigating asks for JSON.
    const isPage = request.headers.accept?.includes("application/json");
    return isPage ? reply.send({ message: "Signed out", url }) : reply.redirect(url, 302);
  });
}

/** Routes for a user's own sessions. */
export function registerSessionRoutes(
  app: FastifyInstance,
  context: AuthContext & { maxDays: number },
): void {
  bindRoute(app, listSessions, ({ actor }) => listOwnSessions(context, { actor, maxDays: context.maxDays }));
  bindRoute(app, listSignIns, ({ actor }) => listOwnSignIns(context.database.db, actor.userId));
  bindRoute(app, endSession, async ({ actor, params }) => {
    await endOwnSessions(context, { actor, only: params.id });
    return { message: "Signed out there" };
  });
  bindRoute(app, endOtherSessions, async ({ actor }) => {
    const ended = await endOwnSessions(context, { actor });
    return { message: "Signed out everywhere else", ended };
  });
}

/** Routes for choosing a password by a one-time link; the token is in the body, so that it is not logged. */
export function registerPasswordLinkRoutes(
  app: FastifyInstance,
  context: AuthContext & { notifications: NotificationsContext },
): void {
  bindRoute(app, contract.checkPasswordLink, ({ body, request }) =>
    checkPasswordLink(context, { token: body.token, address: request.ip }),
  );
  bindRoute(app, contract.usePasswordLink, async ({ body, request }) => {
    const userId = await usePasswordLink(context, { ...body, ...requestOrigin(request) });
    request.log.info({ userId }, "password chosen by a link");
    return { message: "Your password has been changed successfully." };
  });
}

/**
 * Routes for signing in at the external login provider: navigations, which redirect. A failure redirects to `/?login_error=<code>`
 * (`loginErrors` of the contract). `?from=` names the page to return to. Only registered with a provider. HEAD requests must not start or
 * end anything.
 */
export function registerProviderRoutes(
  app: FastifyInstance,
  context: ProviderContext & { secure: boolean },
): void {
  if (!context.loginProvider) return;
  const { secure } = context;
  const cookieName = `${sessionCookieName(secure)}-login`;
  // Lax, because the browser returns from another site.
  const cookie = { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
  const route = { schema: { hide: true }, exposeHeadRoute: false };

  const goTo = (reply: FastifyReply, url: string) =>
    reply.header("cache-control", "no-store").redirect(url, 303);
  async function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!(error instanceof LoginFailure)) throw error;
    if (error.code === "unknown_user")
      await recordFailedSignIn(context.database, { userId: null, ...requestOrigin(request) });
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
        ...requestOrigin(request),
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
