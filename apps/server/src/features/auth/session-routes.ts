import * as contract from "@portal/contract/routes/account";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { endOwnSessions, listOwnSessions } from "./own-sessions.ts";
import type { AuthContext } from "./service.ts";

/** Where one is signed in, and signing out there. */
export function registerSessionRoutes(
  app: FastifyInstance,
  context: AuthContext & { maxDays: number },
): void {
  bindRoute(app, contract.listSessions, ({ actor }) =>
    listOwnSessions(context, { actor, maxDays: context.maxDays }),
  );
  bindRoute(app, contract.endSession, async ({ actor, params }) => {
    await endOwnSessions(context, { actor, only: params.id });
    return { message: "Signed out there" };
  });
  bindRoute(app, contract.endOtherSessions, async ({ actor }) => {
    const ended = await endOwnSessions(context, { actor });
    return { message: "Signed out everywhere else", ended };
  });
}
