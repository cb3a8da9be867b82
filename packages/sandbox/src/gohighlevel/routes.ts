import type { FastifyInstance } from "fastify";
import type { Faults } from "../faults.ts";
import type { AppData } from "./app-data.ts";
import { contactRoutes } from "./contact-routes.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import type { CrmData } from "./crm-data.ts";
import { GhlError, ghlFailure } from "./errors.ts";
import { checkHeaders } from "./guards.ts";
import { locationRoutes } from "./location-routes.ts";
import type { Manners } from "./manners.ts";
import { noteRoutes } from "./note-routes.ts";
import type { RateLimit } from "./rate-limit.ts";
import { scopeNeeded } from "./scopes.ts";

interface GhlParts {
  crm: CrmData;
  crmManners: Manners;
  ghlApp: AppData;
  faults: Faults;
  rateLimit: RateLimit;
}

/** HighLevel's API in version 2021-07-28, conversations in 2021-04-15. */
export function ghlRoutes({ crm: data, crmManners, ghlApp, faults, rateLimit }: GhlParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
      try {
        done(null, text === "" ? null : JSON.parse(String(text)));
      } catch {
        done(new GhlError(400, "Unexpected token in JSON"), undefined);
      }
    });
    faults.guard(app, "ghl", ghlFailure);
    app.addHook("preHandler", async (request, reply) => {
      const refused = checkHeaders(request, reply, ghlApp) ?? rateLimit.check(reply);
      if (refused) return refused;
      const scope = scopeNeeded(request.method, request.url);
      if (scope && crmManners.missingScopes.includes(scope))
        throw new GhlError(401, "The token is not authorized for this scope.");
    });
    app.setNotFoundHandler((request, reply) => reply.code(404).send(ghlFailure(404, request.url)));
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof GhlError) return reply.code(error.statusCode).send(error.body);
      const status = error.statusCode ?? 500;
      return reply.code(status).send(ghlFailure(status, request.url));
    });
    contactRoutes(app, data, crmManners);
    noteRoutes(app, data);
    locationRoutes(app, data, crmManners);
    conversationRoutes(app, data, crmManners);
  };
}
