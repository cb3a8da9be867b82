import { z } from "zod";
import { idSchema } from "../entities/fields.ts";
import {
  nextTrySchema,
  retryPreviewSchema,
  retryRulesSchema,
  savedRetryRulesSchema,
} from "../entities/retry.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });

/** The retry rules and their version. */
export const getRetryRules = defineRoute({
  method: "GET",
  path: "/api/retry-rules",
  summary: "Retry rules",
  response: savedRetryRulesSchema,
});

/** Previews the effect of these rules on the current leads, next to the effect of the saved ones. Changes nothing. */
export const previewRetryRules = defineRoute({
  method: "POST",
  path: "/api/retry-rules/preview",
  summary: "Preview a change of the retry rules",
  body: z.object({ rules: retryRulesSchema }),
  response: retryPreviewSchema,
});

/** Saves all rules. `version` is the version that was read. Errors: `invalid`, `changed_meanwhile` (somebody saved other rules since). */
export const saveRetryRules = defineRoute({
  method: "PATCH",
  path: "/api/retry-rules",
  summary: "Change the retry rules",
  body: z.object({ rules: retryRulesSchema, version: z.number().int().min(1) }),
  response: savedRetryRulesSchema,
});

/** When a lead is called again by the retry rules and the contact policy. Errors: `not_found`. */
export const getNextTry = defineRoute({
  method: "GET",
  path: "/api/leads/:id/next-try",
  summary: "Next try of a lead",
  params: leadParams,
  response: nextTrySchema,
});

/**
 * Overrides the rules for a lead: `again` resets the attempts now, `rest` puts the lead off for 30 days and resets them then. Errors:
 * `not_found`, `not_your_lead`.
 */
export const decideNextTry = defineRoute({
  method: "POST",
  path: "/api/leads/:id/next-try",
  summary: "Retry a lead, or pause its retries",
  params: leadParams,
  body: z.object({ decision: z.enum(["again", "rest"]) }),
  response: nextTrySchema,
});
