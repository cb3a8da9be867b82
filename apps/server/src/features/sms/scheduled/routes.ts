import * as contract from "@portal/contract/routes/scheduled-sms";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import type { SmsContext } from "../types.ts";
import { cancelSms, listAll, listOfLead, releaseSms, scheduleSms } from "./service.ts";

/** Routes for scheduled SMS: schedule, list, cancel, or send at once. */
export function registerScheduledSmsRoutes(app: FastifyInstance, context: SmsContext): void {
  bindRoute(app, contract.listScheduledSms, ({ actor }) => listAll(context, actor));
  bindRoute(app, contract.listLeadScheduledSms, ({ params, actor }) =>
    listOfLead(context, { actor, leadId: params.id }),
  );
  bindRoute(app, contract.scheduleSms, ({ params, body, actor }) =>
    scheduleSms(context, { ...body, actor, leadId: params.id }),
  );
  bindRoute(app, contract.cancelScheduledSms, ({ params, actor }) =>
    cancelSms(context, { actor, id: params.id }),
  );
  bindRoute(app, contract.releaseScheduledSms, ({ params, actor }) =>
    releaseSms(context, { actor, id: params.id }),
  );
}
