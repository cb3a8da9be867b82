import { z } from "zod";
import { diagnosticReportSchema, integrations, telephonyPlanSchema } from "../entities/diagnostics.ts";
import { defineRoute } from "../route.ts";

/**
 * Checks one integration now: keys, remaining limits, whether webhooks reach the portal, the last event, what is waiting. Completes within
 * 12 s even if the provider does not respond. Technical details are for administrators. Errors: `rate_limited` (30 per minute and user).
 */
export const checkIntegration = defineRoute({
  method: "GET",
  path: "/api/diagnostics/:integration",
  summary: "Check one integration now",
  params: z.object({ integration: z.enum(integrations) }),
  response: diagnosticReportSchema,
});

/**
 * What Fix would change at Twilio: settings of the system number and the Messaging Service that do not point to this portal. Errors:
 * `provider_off`, `provider_refused`, `provider_unavailable`.
 */
export const getTelephonyPlan = defineRoute({
  method: "GET",
  path: "/api/twilio/settings-plan",
  summary: "Preview changes of the Twilio settings",
  response: telephonyPlanSchema,
});

/**
 * Applies exactly the changes that were shown. Errors: `conflict` if the settings have changed since (nothing is changed then); those of
 * `getTelephonyPlan`.
 */
export const fixTelephony = defineRoute({
  method: "POST",
  path: "/api/twilio/settings-plan",
  summary: "Apply the previewed changes to the Twilio settings",
  body: z.object({ seen: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ changed: z.number().int() }),
});

/** The OpenAPI 3 document of this API. */
export const getApiDocument = defineRoute({
  method: "GET",
  path: "/api/docs/json",
  summary: "The API's description (OpenAPI)",
  response: z.looseObject({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});
