import { z } from "zod";
import { crmConnectionSchema, foundInstallSchema } from "../entities/crm-connection.ts";
import { instantSchema, text } from "../entities/fields.ts";
import { defineRoute } from "../route.ts";

// No path names the vendor: its marketplace takes no address that does.

/** Which way to the CRM is in use, and what it lacks. Live by the topic `crm-connection`. */
export const getCrmConnection = defineRoute({
  method: "GET",
  path: "/api/crm/connection",
  summary: "Which way to GoHighLevel is in use",
  response: crmConnectionSchema,
});

/** Where the browser goes to install the app; good for a quarter of an hour, once, in this session. Errors: `provider_off`. */
export const beginCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install",
  summary: "Begin to install the GoHighLevel app",
  response: z.object({ installUrl: z.string() }),
});

/**
 * HighLevel sends the browser back here; answers with a redirect to /integrations. With the state of an installation begun here `crm` says
 * how it went (`installResults`); without, `crmInstall` holds the code, for an administrator to look at.
 */
export const crmInstallCallback = defineRoute({
  method: "GET",
  path: "/api/crm/install/callback",
  summary: "GoHighLevel's answer to an installation",
  query: z.object({
    state: text(200).optional(),
    code: text(4_000).optional(),
    error: text(200).optional(),
  }),
  response: z.unknown(),
});

/** Looks at an installation that was begun at HighLevel, and keeps nothing of it. Errors: `provider_off`. */
export const readCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install/read",
  summary: "Look at an installation begun at GoHighLevel",
  body: z.strictObject({ code: text(4_000).min(1) }),
  response: foundInstallSchema,
});

/** Connects what was looked at, in the same session. Errors: `provider_off`; `conflict` where it is too old or another's. */
export const confirmCrmInstall = defineRoute({
  method: "POST",
  path: "/api/crm/install/confirm",
  summary: "Confirm an installation begun at GoHighLevel",
  body: z.strictObject({ held: text(100_000).min(1) }),
  response: crmConnectionSchema,
});

/** Forgets the app's connection; at HighLevel it stays installed. */
export const forgetCrmConnection = defineRoute({
  method: "DELETE",
  path: "/api/crm/connection",
  summary: "Disconnect the GoHighLevel app",
  response: crmConnectionSchema,
});

/** Says when the private token in use was made. Errors: `not_found` without one; `invalid` for a day to come, or years ago. */
export const datePrivateToken = defineRoute({
  method: "PATCH",
  path: "/api/crm/private-token",
  summary: "Say when the GoHighLevel private token was made",
  body: z.strictObject({ since: instantSchema }),
  response: crmConnectionSchema,
});
