import * as contract from "@portal/contract/routes/dialer";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { getDialer, getSession, getSummary } from "./read-session.ts";
import { changeSession, closeSession, commandSession, moveNext, noteTyping } from "./service.ts";

import { previewDialer, startSession } from "./start-session.ts";
import type { DialerContext } from "./types.ts";
import { wrapUp } from "./wrap-up.ts";

/** Routes of the auto-dialer. */
export function registerDialerRoutes(app: FastifyInstance, context: DialerContext): void {
  bindRoute(app, contract.getDialer, ({ actor }) => getDialer(context, actor));

  bindRoute(app, contract.previewDialer, ({ body, actor }) => previewDialer(context, { ...body, actor }));

  bindRoute(app, contract.startDialer, async ({ body, actor }) => {
    const sessionId = await startSession(context, { ...body, actor });
    return getSession(context, { sessionId, actor });
  });

  bindRoute(app, contract.commandDialer, async ({ params, body, actor }) => {
    const own = { sessionId: params.id, actor };
    await commandSession(context, { ...own, ...body });
    return getSession(context, own);
  });

  bindRoute(app, contract.moveNextInDialer, async ({ params, body, actor }) => {
    const own = { sessionId: params.id, actor };
    await moveNext(context, { ...own, ...body });
    return getSession(context, own);
  });

  bindRoute(app, contract.typingInDialer, async ({ params, actor }) => {
    const until = await noteTyping(context, { sessionId: params.id, actor });
    return { typingUntil: until.toISOString() };
  });

  bindRoute(app, contract.setDialerDelay, async ({ params, body, actor }) => {
    const own = { sessionId: params.id, actor };
    await changeSession(context, { ...own, ...body });
    return getSession(context, own);
  });

  bindRoute(app, contract.wrapUpDialer, async ({ params, body, actor }) => {
    const own = { sessionId: params.id, actor };
    const kept = await wrapUp(context, {
      ...own,
      callId: body.callId,
      outcome: body.outcome,
      notes: body.notes ?? null,
      seen: body.seen,
      status: body.status,
      nextFollowUpDate: body.nextFollowUpDate,
      nextFollowUpTime: body.nextFollowUpTime,
      nextFollowUpZone: body.nextFollowUpZone,
    });
    return { ...(await getSession(context, own)), ...kept };
  });

  bindRoute(app, contract.getDialerSummary, ({ params, actor }) =>
    getSummary(context, { sessionId: params.id, actor }),
  );

  bindRoute(app, contract.closeDialer, async ({ params, actor }) => {
    const own = { sessionId: params.id, actor };
    await closeSession(context, own);
    return getSession(context, own);
  });
}
