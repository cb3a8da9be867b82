import formbody from "@fastify/formbody";
import fastify, { type FastifyInstance } from "fastify";
import { accountControl } from "./control/account.ts";
import { accountLimitsControl } from "./control/account-limits.ts";
import { callControl } from "./control/calls.ts";
import { crmControl } from "./control/crm.ts";
import { ghlAppControl } from "./control/ghl-app.ts";
import { googleControl } from "./control/google.ts";
import { historyControl } from "./control/history.ts";
import { loginControl } from "./control/login.ts";
import { smsControl } from "./control/messages.ts";
import { pushControl } from "./control/push.ts";
import { refuseOtherSites } from "./control/same-site.ts";
import { trafficControl } from "./control/traffic.ts";
import { marketplaceRoutes, tokenRoutes } from "./gohighlevel/app-routes.ts";
import { ghlRoutes } from "./gohighlevel/routes.ts";
import { calendarRoutes } from "./google/calendar-routes.ts";
import { oauthRoutes } from "./google/oauth-routes.ts";
import { loginRoutes } from "./login/routes.ts";
import { phonesPage } from "./phones-page/routes.ts";
import { pushRoutes } from "./push/routes.ts";
import { Sandbox, type SandboxOptions } from "./sandbox.ts";
import { fallbackBins } from "./twilio/bins.ts";
import { storageRoutes } from "./twilio/recording-routes.ts";
import { twilioRoutes } from "./twilio/rest.ts";

/** Creates the sandbox's server, which does not listen yet; closing it saves the running state. */
export function buildSandbox(options: SandboxOptions): FastifyInstance {
  const sandbox = new Sandbox(options);
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 16 * 1024 * 1024,
    routerOptions: { maxParamLength: 500 },
  });
  app.register(formbody);
  app.get("/health", async () => ({ status: "ok" }));
  app.get("/", async (_request, reply) => reply.redirect("/phones"));
  app.register(twilioRoutes(sandbox), { prefix: "/twilio" });
  const portalUrl = options.portalUrl ?? null;
  storageRoutes(app, sandbox);
  app.register(ghlRoutes(sandbox), { prefix: "/ghl" });
  app.register(tokenRoutes(sandbox.ghlApp, sandbox.faults), { prefix: "/ghl/oauth" });
  const onInstall = (locationIds: string[]) => sandbox.notifyApp("INSTALL", locationIds);
  app.register(marketplaceRoutes(sandbox.ghlApp, portalUrl, onInstall), { prefix: "/ghl-marketplace" });
  app.register(oauthRoutes(sandbox.google, sandbox.faults, portalUrl), { prefix: "/google" });
  app.register(pushRoutes(sandbox.push, sandbox.faults), { prefix: "/push" });
  app.register(loginRoutes(sandbox.login, sandbox.faults, portalUrl), { prefix: "/login" });
  // Google's client accepts only an origin, so the API is at the root.
  app.register(calendarRoutes(sandbox.google, sandbox.faults), { prefix: "/calendar/v3" });
  fallbackBins(app, {
    portalUrl: options.portalUrl?.replace(/\/+$/, "") ?? null,
    tokens: sandbox.tokens,
    texts: sandbox.bins,
  });
  app.register(async (own) => {
    own.addHook("onRequest", refuseOtherSites);
    phonesPage(own, sandbox);
    accountControl(own, sandbox);
    accountLimitsControl(own, sandbox);
    callControl(own, sandbox);
    smsControl(own, sandbox);
    crmControl(own, sandbox);
    ghlAppControl(own, sandbox);
    googleControl(own, sandbox);
    loginControl(own, sandbox);
    pushControl(own, sandbox);
    historyControl(own, sandbox);
    trafficControl(own, sandbox);
  });
  app.addHook("onReady", async () => sandbox.start());
  app.addHook("onClose", () => sandbox.close());
  return app;
}

/** Starts a sandbox; port 0 uses any free port. */
export async function startSandbox(
  options: SandboxOptions & { port: number; host?: string },
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = buildSandbox(options);
  try {
    const url = await app.listen({ port: options.port, host: options.host ?? "127.0.0.1" });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
