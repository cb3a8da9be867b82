import { z } from "zod";
import { diagnosticReportSchema, integrations } from "../entities/diagnostics.ts";
import { defineRoute } from "../route.ts";

/**
 * Looks at one integration now: keys, limits left, whether webhooks reach the portal, the last event, what waits. Ends within 12 s,
 * whatever the provider does; technical details are for administrators. Errors: `rate_limited` (30 a minute and user).
 */
export const checkIntegration = defineRoute({
  method: "GET",
  path: "/api/diagnostics/:integration",
  access: "user",
  summary: "Look at one integration now",
  params: z.object({ integration: z.enum(integrations) }),
  response: diagnosticReportSchema,
});

/** This API as an OpenAPI 3 document. */
export const getApiDocument = defineRoute({
  method: "GET",
  path: "/api/docs/json",
  access: "user",
  summary: "The API's description (OpenAPI)",
  response: z.looseObject({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});
