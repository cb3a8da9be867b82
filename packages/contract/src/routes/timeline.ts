import { z } from "zod";
import { idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { timelineEntrySchema, timelineKinds } from "../entities/timeline.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/**
 * A lead's timeline, newest first. For the assigned consultant and administrators. A call is one entry that includes the changes made
 * during it and in the five minutes after; writes that did not change a value are omitted. `kind` filters by kind, `search` by words that
 * must all occur, and `system: "false"` omits changes between systems. Errors: `not_found`, `not_your_lead`.
 */
export const getTimeline = defineRoute({
  method: "GET",
  path: "/api/leads/:id/timeline",
  summary: "Timeline of a lead",
  params: z.object({ id: idSchema }),
  query: pageQuerySchema.extend({
    kind: z.enum([...timelineKinds, "all", ""]).optional(),
    search: text(limits.searchMaxLength).optional(),
    system: z.enum(["true", "false"]).optional(),
  }),
  response: z.array(timelineEntrySchema),
});
