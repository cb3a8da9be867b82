import { z } from "zod";
import { idSchema, pageQuerySchema } from "../entities/fields.ts";
import { timelineEntrySchema } from "../entities/timeline.ts";
import { defineRoute } from "../route.ts";

/** What happened to a lead, newest first; the assignee and administrators may read it. Errors: `not_found`, `not_your_lead`. */
export const getTimeline = defineRoute({
  method: "GET",
  path: "/api/leads/:id/timeline",
  summary: "What happened to a lead",
  params: z.object({ id: idSchema }),
  query: pageQuerySchema,
  response: z.array(timelineEntrySchema),
});
