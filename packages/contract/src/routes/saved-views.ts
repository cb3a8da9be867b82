import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { listPages } from "../entities/lead-list.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** A name for an address of a list. How many rows it has is the list's own count, asked for with its query. */
export const savedViewSchema = z.object({
  id: z.number(),
  page: z.enum(listPages),
  name: z.string(),
  /** Filters, order and columns as they stand in the address, without the question mark. */
  query: z.string(),
  /** Kept by administrators for all; else one's own. */
  isForEverybody: z.boolean(),
});
export type SavedView = z.infer<typeof savedViewSchema>;

const viewParams = z.object({ id: idSchema });
const name = text(limits.nameMaxLength);
const query = text(limits.savedViewQueryMaxLength);

/** The views of a list: everybody's, then one's own, each in the order they were put in. */
export const listSavedViews = defineRoute({
  method: "GET",
  path: "/api/saved-views",
  summary: "Saved views of a list",
  query: z.object({ page: z.enum(listPages) }),
  response: z.array(savedViewSchema),
});

/**
 * Keeps an address of a list under a name, after the others. Errors: `invalid` (an empty name, an address that the list does not know, or
 * 50 views already), `forbidden` (only administrators keep views for everybody).
 */
export const createSavedView = defineRoute({
  method: "POST",
  path: "/api/saved-views",
  summary: "Save a view of a list",
  body: z.strictObject({ page: z.enum(listPages), name, query, isForEverybody: z.boolean().default(false) }),
  response: savedViewSchema,
});

/** Changes what is sent of one's own view, administrators also of everybody's. Errors: `invalid`, `forbidden`, `not_found`. */
export const updateSavedView = defineRoute({
  method: "PATCH",
  path: "/api/saved-views/:id",
  summary: "Rename or change a saved view",
  params: viewParams,
  body: z.strictObject({ name: name.optional(), query: query.optional() }),
  response: savedViewSchema,
});

/** Errors: `forbidden`, `not_found`. */
export const deleteSavedView = defineRoute({
  method: "DELETE",
  path: "/api/saved-views/:id",
  summary: "Delete a saved view",
  params: viewParams,
  response: z.object({ message: z.string() }),
});

/**
 * Puts one's own views of a list, or everybody's, into this order; views that are not named stand after those that are. Answers as the
 * list does. Errors: `forbidden`, `not_found` (one of them is none of these).
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
