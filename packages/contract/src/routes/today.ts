import { z } from "zod";
import { todayEntrySchema, todayKinds } from "../entities/today.ts";
import { defineRoute } from "../route.ts";

const todayCountsSchema = z.object({
  /** What may be done now, and how much of it is overdue. */
  now: z.number(),
  overdue: z.number(),
  putOff: z.number(),
});

/** What the consultant does next, in order: first what may be done now, then what is put off. Leads that are their own. */
export const listToday = defineRoute({
  method: "GET",
  path: "/api/today",
  summary: "What to do next, with its reason",
  response: z.object({
    /** The first 200 that may be done now, and the first 100 of those that are put off. */
    entries: z.array(todayEntrySchema),
    counts: todayCountsSchema,
    /** Minutes of working time that the first call to a new lead may take. */
    firstCallMinutes: z.number(),
    /** Kinds of which there are more than were looked at: the oldest are left out. */
    more: z.array(z.enum(todayKinds)),
    /** The server's clock. */
    now: z.string(),
  }),
});

/** How many there are, without them. */
export const countToday = defineRoute({
  method: "GET",
  path: "/api/today/count",
  summary: "How much there is to do next",
  response: todayCountsSchema,
});
