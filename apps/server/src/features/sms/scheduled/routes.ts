import * as contract from "@portal/contract/routes/scheduled-sms";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import type { SmsContext } from "../types.ts";
import { cancelText, listAll, listOfLead, releaseText, scheduleText } from "./service.ts";

/** Texts that go out later: put there, seen, taken back, or sent at once after all. */
export function registerScheduledTextRoutes(app: FastifyInstance, context: SmsContext): void {
  bindRoute(app, contract.listScheduledSms, ({ actor }) => listAll(context, actor));
  bindRoute(app, contract.listLeadScheduledSms, ({ params, actor }) =>
    listOfLead(context, { actor, leadId: params.id }),
  );
  bindRoute(app, contract.scheduleText, ({ params, body, actor }) =>
    scheduleText(context, { ...body, actor, leadId: params.id }),
  );
  bindRoute(app, contract.cancelScheduledText, ({ params, actor }) =>
    cancelText(context, { actor, id: params.id }),
  );
  bindRoute(app, contract.releaseScheduledText, ({ params, actor }) =>
    releaseText(context, { actor, id: params.id }),
  );
}
