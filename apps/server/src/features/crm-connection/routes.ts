import type { InstallResult } from "@portal/contract/entities/crm-connection";
import * as contract from "@portal/contract/routes/crm-connection";
import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { beginInstall, confirmInstall, finishInstall, forgetConnection, readInstall } from "./install.ts";
import { connectionStatus, datePrivateToken } from "./read-status.ts";
import type { CrmConnectionContext } from "./types.ts";

/** The connection to the CRM: the app's installation, and the private token's age. */
export function registerCrmConnectionRoutes(app: FastifyInstance, context: CrmConnectionContext): void {
  bindRoute(app, contract.getCrmConnection, () => connectionStatus(context));

  bindRoute(app, contract.beginCrmInstall, async ({ actor }) => ({
    installUrl: await beginInstall(context, actor),
  }));

  const back = (reply: FastifyReply, search: Record<string, string>) =>
    reply.header("cache-control", "no-store").redirect(`/integrations?${new URLSearchParams(search)}`, 303);
  const showResult = (reply: FastifyReply, crm: InstallResult) => back(reply, { crm });
  bindRoute(
    app,
    contract.crmInstallCallback,
    async ({ actor, query, reply }) => {
      const { state, code } = query;
      if (state) return showResult(reply, await finishInstall(context, actor, { ...query, state }));
      // Started at HighLevel: an administrator confirms it first.
      return code ? back(reply, { crmInstall: code }) : showResult(reply, "failed");
    },
    {
      // A user without a session is redirected to the sign-in screen, which opens at every address; an installation without state waits
      // there.
      errorHandler: (error, request, reply) => {
        const code = error instanceof AppError ? error.code : null;
        const isRefused = code === "unauthenticated" || code === "forbidden";
        if (!isRefused || !request.headers.accept?.includes("text/html")) throw error;
        const query = request.query as { code?: unknown; state?: unknown };
        if (code === "unauthenticated" && typeof query.code === "string" && query.state === undefined)
          return back(reply, { crmInstall: query.code });
        return showResult(reply, code === "forbidden" ? "not-admin" : "signed-out");
      },
    },
  );

  bindRoute(app, contract.readCrmInstall, ({ actor, body }) => readInstall(context, actor, body.code));
  bindRoute(app, contract.confirmCrmInstall, async ({ actor, body }) => {
    await confirmInstall(context, actor, body.held);
    return connectionStatus(context);
  });
  bindRoute(app, contract.forgetCrmConnection, async ({ actor }) => {
    await forgetConnection(context, actor);
    return connectionStatus(context);
  });
  bindRoute(app, contract.datePrivateToken, async ({ actor, body }) => {
    await datePrivateToken(context, { userId: actor.userId, since: new Date(body.since) });
    return connectionStatus(context);
  });
}
