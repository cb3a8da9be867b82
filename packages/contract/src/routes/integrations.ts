import { z } from "zod";
import { diagnosticReportSchema, integrations, telephonyPlanSchema } from "../entities/diagnostics.ts";
import { defineRoute } from "../route.ts";

/**
 * Looks at one integration now: keys, limits left, whether webhooks reach the portal, the last event, what waits. Ends within 12 s,
 * whatever the provider does; technical details are for administrators. Errors: `rate_limited` (30 a minute and user).
 */
export const checkIntegration = defineRoute({
  method: "GET",
  path: "/api/diagnostics/:integration",
  summary: "Look at one integration now",
  params: z.object({ integration: z.enum(integrations) }),
  response: diagnosticReportSchema,
});

/**
 * What Fix would change at Twilio: settings of the system number and of the Messaging Service that do not lead here.
 * Errors: `provider_off`, `provider_refused`, `provider_unavailable`.
 */
export const getTelephonyPlan = defineRoute({
  method: "GET",
  path: "/api/twilio/settings-plan",
  summary: "See what would be fixed at Twilio",
  response: telephonyPlanSchema,
});

/**
 * Sets right what was shown and nothing else. Errors: `conflict` where the settings have changed since, and nothing is changed;
 * those of `getTelephonyPlan`.
 */
export const fixTelephony = defineRoute({
  method: "POST",
  path: "/api/twilio/settings-plan",
  summary: "Fix at Twilio what was shown",
  body: z.object({ seen: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ changed: z.number().int() }),
});

/** This API as an OpenAPI 3 document. */
export const getApiDocument = defineRoute({
  method: "GET",
  path: "/api/docs/json",
  summary: "The API's description (OpenAPI)",
  response: z.looseObject({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});
