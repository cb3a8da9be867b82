import * as contract from "@portal/contract/routes/retry-rules";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { readRetryRules } from "./repository.ts";
import { decideNextTry, getNextTry, previewRules, type RetryContext, saveRules } from "./service.ts";

/** The routes of the administrators' retry rules, and of a lead's next try. */
export function registerRetryRoutes(app: FastifyInstance, context: RetryContext): void {
  bindRoute(app, contract.getRetryRules, () => readRetryRules(context.database.db));
  bindRoute(app, contract.previewRetryRules, ({ body, actor }) =>
    previewRules(context, { actor, rules: body.rules }),
  );
  bindRoute(app, contract.saveRetryRules, ({ body, actor }) => saveRules(context, { ...body, actor }));
  bindRoute(app, contract.getNextTry, ({ params, actor }) =>
    getNextTry(context, { leadId: params.id, actor }),
  );
  bindRoute(app, contract.decideNextTry, ({ params, body, actor }) =>
    decideNextTry(context, { actor, leadId: params.id, decision: body.decision }),
  );
}
