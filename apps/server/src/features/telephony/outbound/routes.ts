import * as contract from "@portal/contract/routes/calls";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { endInboundCall, listLiveInboundCalls } from "../inbound/service.ts";
import type { CallsContext } from "../types.ts";
import { leaveMessage } from "../voicemail-messages/leave-message.ts";
import { makeCall } from "./make-call.ts";
import { endCall, getCall, getLiveCall } from "./service.ts";

/** Routes for outbound calls. */
export function registerCallRoutes(app: FastifyInstance, context: CallsContext): void {
  bindRoute(app, contract.makeCall, ({ body, actor }) =>
    makeCall(context, {
      actor,
      leadId: body.leadId,
      to: body.to ?? null,
      overrideReason: body.overrideReason,
    }),
  );

  bindRoute(app, contract.getLiveCall, async ({ actor }) => ({
    call: await getLiveCall(context, actor),
    inboundCalls: await listLiveInboundCalls(context, actor),
  }));

  bindRoute(app, contract.getCall, ({ params, actor }) => getCall(context, { actor, callId: params.id }));

  bindRoute(app, contract.endCall, async ({ params, actor }) => {
    await endCall(context, { actor, callId: params.id });
    return getCall(context, { actor, callId: params.id });
  });

  bindRoute(app, contract.endInboundCall, async ({ params, actor }) => {
    await endInboundCall(context, { actor, inboundCallId: params.id });
    return { ended: true as const };
  });

  bindRoute(app, contract.leaveMessage, async ({ params, actor }) => {
    await leaveMessage(context, { actor, callId: params.id });
    return getCall(context, { actor, callId: params.id });
  });

  bindRoute(app, contract.getPhoneNumbers, async () => ({
    systemNumber: context.telephony?.callerId ?? null,
    officeLine: context.officeLine,
    textsByService: context.textsByService,
  }));
}
