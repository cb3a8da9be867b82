import { z } from "zod";
import { idSchema } from "../entities/fields.ts";
import { leadMergeSchema, mergeChoicesSchema, mergePreviewSchema } from "../entities/lead-merge.ts";
import { defineRoute } from "../route.ts";

const ofLead = z.object({ id: idSchema });

/**
 * Previews merging another lead into this one with the given choices. Changes nothing. Errors: `not_found`, `not_your_lead` (either lead),
 * `invalid` (the same lead twice).
 */
export const previewLeadMerge = defineRoute({
  method: "POST",
  path: "/api/leads/:id/merge/preview",
  summary: "Preview a merge of two leads",
  params: ofLead,
  body: z.strictObject({ otherId: idSchema, choices: mergeChoicesSchema.default({}) }),
  response: mergePreviewSchema,
});

/**
 * Merges another lead into this one, with all history. From then on the other lead's number, address and ids lead to this one. Repeating
 * the request with the same `clientRef` returns the merge it made. Errors: `not_found`, `not_your_lead`, `invalid`, `merge_refused` (reason
 * in `mergeRefusal`).
 */
export const mergeLeads = defineRoute({
  method: "POST",
  path: "/api/leads/:id/merge",
  summary: "Merge two leads",
  params: ofLead,
  body: z.strictObject({ otherId: idSchema, choices: mergeChoicesSchema.default({}), clientRef: z.uuid() }),
  response: leadMergeSchema,
});

/** The merges of a lead, newest first, including undone ones. Errors: `not_found`, `not_your_lead`. */
export const listMergesOfLead = defineRoute({
  method: "GET",
  path: "/api/leads/:id/merges",
  summary: "Merges of a lead",
  params: ofLead,
  response: z.array(leadMergeSchema),
});

/** Merges of the last seven days, newest first: of the user's leads; for administrators, all. */
export const listLeadMerges = defineRoute({
  method: "GET",
  path: "/api/lead-merges",
  summary: "Merges of the last seven days",
  response: z.array(leadMergeSchema),
});

/**
 * Undoes a merge: each lead gets its previous data back. Items added since go to the lead that their number or id belongs to, or stay. If
 * already undone, returns it unchanged. Errors: `not_found`, `not_your_lead`, `merge_refused` (reason in `mergeRefusal`).
 */
export const undoLeadMerge = defineRoute({
  method: "POST",
  path: "/api/lead-merges/:id/undo",
  summary: "Undo a merge of two leads",
  params: z.object({ id: idSchema }),
  response: leadMergeSchema,
});
