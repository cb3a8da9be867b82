import { z } from "zod";
import { bulkChangeSchema, bulkEditSchema, bulkPreviewSchema } from "../entities/bulk-change.ts";
import { idSchema } from "../entities/fields.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadIds = z
  .array(idSchema)
  .min(1)
  .max(limits.leadSelectionMax, `At most ${limits.leadSelectionMax} leads at a time`)
  .transform((ids) => [...new Set(ids)]);

/**
 * What an act on many leads would do; changes nothing. Errors: `invalid` (too many leads, no active consultant), `message_empty`,
 * `message_too_long`, `provider_off`.
 */
export const previewBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes/preview",
  summary: "Which leads an act on many would change, and which not",
  body: z.strictObject({ edit: bulkEditSchema, leadIds }),
  response: bulkPreviewSchema,
});

/**
 * Does it: leads that may not be changed are left out and named. `clientRef` makes a repeated request do it once. What leaves the house
 * waits for 10 s. Errors: as the preview; `conflict` (the reference was used for something else).
 */
export const createBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes",
  summary: "Change, assign or text many leads",
  body: z.strictObject({ clientRef: z.uuid(), edit: bulkEditSchema, leadIds }),
  response: bulkChangeSchema,
});

/** The acts on many leads of the last day, newest first: one's own, administrators everybody's. */
export const listBulkChanges = defineRoute({
  method: "GET",
  path: "/api/bulk-changes",
  summary: "Changes made together in the last day",
  response: z.array(bulkChangeSchema),
});

/** One act, and how far its texts are. Errors: `not_found`. */
export const getBulkChange = defineRoute({
  method: "GET",
  path: "/api/bulk-changes/:id",
  summary: "One act on many leads",
  params: z.object({ id: idSchema }),
  response: bulkChangeSchema,
});

/**
 * Takes an act back within a day: each lead that nobody has changed since gets what it had, the others are spared and named. Texts that
 * were not handed over are not sent; those that were stay sent. Undone once, it is answered as it is. Errors: `not_found`, `conflict` (older than a day).
 */
export const undoBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes/:id/undo",
  summary: "Undo an act on many leads",
  params: z.object({ id: idSchema }),
  response: bulkChangeSchema,
});
