import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { listPages } from "../entities/lead-list.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** A named list URL. The number of rows is the list's own count, requested with its query. */
export const savedViewSchema = z.object({
  id: z.number(),
  page: z.enum(listPages),
  name: z.string(),
  /** Filters, order and columns as in the URL, without the question mark. */
  query: z.string(),
  /** Shared by administrators with everybody; otherwise the user's own. */
  isForEverybody: z.boolean(),
});
export type SavedView = z.infer<typeof savedViewSchema>;

const viewParams = z.object({ id: idSchema });
const name = text(limits.nameMaxLength);
const query = text(limits.savedViewQueryMaxLength);

/** The saved views of a list: shared ones, then the user's own, each in their saved order. */
export const listSavedViews = defineRoute({
  method: "GET",
  path: "/api/saved-views",
  summary: "Saved views of a list",
  query: z.object({ page: z.enum(listPages) }),
  response: z.array(savedViewSchema),
});

/**
 * Saves a list URL under a name, at the end of the list. Errors: `invalid` (an empty name, a query the list does not support, or 50 views
 * already), `forbidden` (only administrators can share views).
 */
export const createSavedView = defineRoute({
  method: "POST",
  path: "/api/saved-views",
  summary: "Save a view of a list",
  body: z.strictObject({ page: z.enum(listPages), name, query, isForEverybody: z.boolean().default(false) }),
  response: savedViewSchema,
});

/** Changes the fields sent of the user's own view; administrators also of shared ones. Errors: `invalid`, `forbidden`, `not_found`. */
export const updateSavedView = defineRoute({
  method: "PATCH",
  path: "/api/saved-views/:id",
  summary: "Rename or change a saved view",
  params: viewParams,
  body: z.strictObject({ name: name.optional(), query: query.optional() }),
  response: savedViewSchema,
});

/** Deletes a saved view. Errors: `forbidden`, `not_found`. */
export const deleteSavedView = defineRoute({
  method: "DELETE",
  path: "/api/saved-views/:id",
  summary: "Delete a saved view",
  params: viewParams,
  response: z.object({ message: z.string() }),
});

/**
 * Sorts the user's own views of a list, or the shared ones, in this order; views not listed come after. Returns the same as
 * `listSavedViews`. Errors: `forbidden`, `not_found` (an id is not one of these views).
 */
export const orderSavedViews = defineRoute({
  method: "POST",
  path: "/api/saved-views/order",
  summary: "Put saved views in order",
  body: z.strictObject({
    page: z.enum(listPages),
    isForEverybody: z.boolean().default(false),
    ids: z.array(idSchema).min(1).max(limits.savedViewsMax),
  }),
  response: z.array(savedViewSchema),
});
