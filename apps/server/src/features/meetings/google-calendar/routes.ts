import * as contract from "@portal/contract/routes/meetings";
import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import {
  beginConsent,
  type ConsentResult,
  disconnect,
  finishConsent,
  googleStatus,
  syncQueue,
} from "./service.ts";
import { syncAccount } from "./sync-account.ts";
import type { GoogleContext } from "./types.ts";

/** Routes of a user's own connection to Google Calendar. */
export function registerGoogleRoutes(app: FastifyInstance, context: GoogleContext): void {
  bindRoute(app, contract.getGoogleStatus, ({ actor }) => googleStatus(context, actor.userId));

  bindRoute(app, contract.getGoogleAuth, async ({ actor }) => ({
    authUrl: await beginConsent(context, actor),
  }));

  const back = (reply: FastifyReply, result: ConsentResult | "signed-out") =>
    reply.header("cache-control", "no-store").redirect(`/calendar?google=${result}`, 303);
  bindRoute(
    app,
    contract.googleCallback,
    async ({ actor, query, reply }) => back(reply, await finishConsent(context, actor, query)),
    {
      // If the session ended while Google's page was open, the browser is redirected back to the portal, where the sign-in screen says why.
      errorHandler: (error, request, reply) => {
        const isLost = error instanceof AppError && error.code === "unauthenticated";
        if (!isLost || !request.headers.accept?.includes("text/html")) throw error;
        return back(reply, "signed-out");
      },
    },
  );

  bindRoute(app, contract.disconnectGoogle, async ({ actor }) => {
    await disconnect(context, actor);
    return { message: "Google Calendar disconnected." };
  });

  bindRoute(app, contract.syncGoogle, async ({ actor }) => {
    const { userId } = actor;
    const { state } = await googleStatus(context, userId);
    if (state === "off") throw new AppError("provider_off", "Google Calendar is not set up here.");
    if (state !== "connected") throw new AppError("conflict", "Google Calendar is not connected.");
    const done = await syncAccount(context, userId);
    // Another worker may have passed the point already, so another sync is queued.
    if (!done)
      await context.database.transaction((tx) =>
        context.jobs.enqueue(tx, syncQueue, { userId }, { key: String(userId) }),
      );
    return googleStatus(context, userId);
  });
}
