import { z } from "zod";
import { idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { timelineEntrySchema, timelineKinds } from "../entities/timeline.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/**
 * What happened to a lead, newest first; the assignee and administrators may read it. One call is one entry, with what changed in it and in
 * the five minutes after it; a field that was written with the value it had is left out. `kind` asks for one part, `search` for words that must
 * all occur, `system: "false"` leaves out what machines did among themselves. Errors: `not_found`, `not_your_lead`.
 */
export const getTimeline = defineRoute({
  method: "GET",
  path: "/api/leads/:id/timeline",
  summary: "What happened to a lead",
  params: z.object({ id: idSchema }),
  query: pageQuerySchema.extend({
    kind: z.enum([...timelineKinds, "all", ""]).optional(),
    search: text(limits.searchMaxLength).optional(),
    system: z.enum(["true", "false"]).optional(),
  }),
  response: z.array(timelineEntrySchema),
});
