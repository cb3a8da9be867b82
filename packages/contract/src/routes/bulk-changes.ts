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
 * Previews a bulk change; changes nothing. Errors: `invalid` (too many leads, not an active consultant), `message_empty`,
 * `message_too_long`, `provider_off`.
 */
export const previewBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes/preview",
  summary: "Preview a bulk change",
  body: z.strictObject({ edit: bulkEditSchema, leadIds }),
  response: bulkPreviewSchema,
});

/**
 * Applies a bulk change. Leads that may not be changed are skipped and listed. Repeating the request with the same `clientRef` applies it
 * once. Effects outside the portal wait for 10 s. Errors: as `previewBulkChange`; `conflict` (the reference was used for something else).
 */
export const createBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes",
  summary: "Change, assign or text several leads",
  body: z.strictObject({ clientRef: z.uuid(), edit: bulkEditSchema, leadIds }),
  response: bulkChangeSchema,
});

/** Bulk changes of the last 24 hours, newest first: the user's own; for administrators, everyone's. */
export const listBulkChanges = defineRoute({
  method: "GET",
  path: "/api/bulk-changes",
  summary: "Bulk changes of the last day",
  response: z.array(bulkChangeSchema),
});

/** One bulk change, and the progress of its SMS. Errors: `not_found`. */
export const getBulkChange = defineRoute({
  method: "GET",
  path: "/api/bulk-changes/:id",
  summary: "One bulk change",
  params: z.object({ id: idSchema }),
  response: bulkChangeSchema,
});

/**
 * Undoes a bulk change within 24 hours. Leads that nobody changed since get their previous values; the others are left unchanged and
 * listed. SMS that were not handed to the provider are not sent; sent ones stay sent. If already undone, returns it unchanged. Errors:
 * `not_found`, `conflict` (older than 24 hours).
 */
export const undoBulkChange = defineRoute({
  method: "POST",
  path: "/api/bulk-changes/:id/undo",
  summary: "Undo a bulk change",
  params: z.object({ id: idSchema }),
  response: bulkChangeSchema,
});
