import { z } from "zod";
import { idSchema } from "../entities/fields.ts";
import { leadMergeSchema, mergeChoicesSchema, mergePreviewSchema } from "../entities/lead-merge.ts";
import { defineRoute } from "../route.ts";

const ofLead = z.object({ id: idSchema });

/**
 * What merging another lead into this one would do, with the fields chosen so far (as JSON); changes nothing.
 * Errors: `not_found`, `not_your_lead` (either of them), `invalid` (the same lead twice).
 */
export const previewLeadMerge = defineRoute({
  method: "POST",
  path: "/api/leads/:id/merge/preview",
  summary: "What merging two leads would do",
  params: ofLead,
  body: z.strictObject({ otherId: idSchema, choices: mergeChoicesSchema.default({}) }),
  response: mergePreviewSchema,
});

/**
 * Merges another lead into this one: all history goes along, and whoever comes by the other's number, address or ids finds this one. The same
 * `clientRef` again answers the merge that it made. Errors: `not_found`, `not_your_lead`, `invalid`, `merge_refused` (`mergeRefusal` says why).
 */
export const mergeLeads = defineRoute({
  method: "POST",
  path: "/api/leads/:id/merge",
  summary: "Merge two leads",
  params: ofLead,
  body: z.strictObject({ otherId: idSchema, choices: mergeChoicesSchema.default({}), clientRef: z.uuid() }),
  response: leadMergeSchema,
});

/** The merges of a lead, newest first, undone ones included. Errors: `not_found`, `not_your_lead`. */
export const listMergesOfLead = defineRoute({
  method: "GET",
  path: "/api/leads/:id/merges",
  summary: "The merges of a lead",
  params: ofLead,
  response: z.array(leadMergeSchema),
});

/** The merges of the last seven days, newest first: of one's own leads, administrators everybody's. */
export const listLeadMerges = defineRoute({
  method: "GET",
  path: "/api/lead-merges",
  summary: "Merges of the last seven days",
  response: z.array(leadMergeSchema),
});

/**
 * Gives each lead back what it had; what came since goes by its number or id, else stays. Undone once, it is answered as it is.
 * Errors: `not_found`, `not_your_lead`, `merge_refused` (`mergeRefusal` says why).
 */
export const undoLeadMerge = defineRoute({
  method: "POST",
  path: "/api/lead-merges/:id/undo",
  summary: "Undo a merge of two leads",
  params: z.object({ id: idSchema }),
  response: leadMergeSchema,
});
