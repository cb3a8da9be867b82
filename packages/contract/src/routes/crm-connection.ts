import { z } from "zod";
import { crmConnectionSchema, foundInstallSchema } from "../entities/crm-connection.ts";
import { instantSchema, text } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

// Paths must not contain the vendor's name; its marketplace rejects such URLs.

/** How the portal is connected to the CRM, and what is missing. Updated live by the topic `crm-connection`. */
export const getCrmConnection = defineRoute({
  method: "GET",
  path: "/api/crm/connection",
  summary: "GoHighLevel connection in use",
  response: crmConnectionSchema,
});

/** Returns the URL to install the app; valid for 15 minutes, once, in this session. Errors: `provider_off`. */
export const beginCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install",
  summary: "Start the installation of the GoHighLevel app",
  response: z.object({ installUrl: z.string() }),
});

/**
 * Redirect target of HighLevel after an installation; redirects to /integrations. If the installation was started here (valid state), `crm`
 * holds the result (`installResults`). Otherwise `crmInstall` holds the code, for an administrator to review.
 */
export const crmInstallCallback = defineRoute({
  method: "GET",
  path: "/api/crm/install/callback",
  summary: "OAuth callback of the GoHighLevel app",
  query: z.object({
    state: text(200).optional(),
    code: text(4_000).optional(),
    error: text(200).optional(),
  }),
  response: z.unknown(),
});

/** Reads an installation that was started at HighLevel without storing anything. Errors: `provider_off`. */
export const readCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install/read",
  summary: "Check an installation started at GoHighLevel",
  body: z.strictObject({ code: text(4_000).min(1) }),
  response: foundInstallSchema,
});

/** Connects the installation that was read, in the same session. Errors: `provider_off`, `conflict` (expired, or another user's). */
export const confirmCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install/confirm",
  summary: "Confirm an installation started at GoHighLevel",
  body: z.strictObject({ held: text(100_000).min(1) }),
  response: crmConnectionSchema,
});

/** Deletes the app's connection; the app stays installed at HighLevel. */
export const forgetCrmConnection = defineRoute({
  method: "DELETE",
  path: "/api/crm/connection",
  summary: "Disconnect the GoHighLevel app",
  response: crmConnectionSchema,
});

/** Sets when the current private token was created. Errors: `not_found` (no token), `invalid` (a date in the future or years ago). */
export const datePrivateToken = defineRoute({
  method: "PATCH",
  path: "/api/crm/private-token",
  summary: "Set the creation date of the GoHighLevel private token",
  body: z.strictObject({ since: instantSchema }),
  response: crmConnectionSchema,
});
