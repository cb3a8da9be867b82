import { z } from "zod";
import { todayEntrySchema, todayKinds } from "../entities/today.ts";
import { defineRoute } from "../route.ts";

/** What the consultant does next, in order: first what may be done now, then what is put off. Leads that are their own. */
export const listToday = defineRoute({
  method: "GET",
  path: "/api/today",
  summary: "What to do next, with its reason",
  response: z.object({
    entries: z.array(todayEntrySchema),
    /** Minutes of working time that the first call to a new lead may take. */
    firstCallMinutes: z.number(),
    /** Kinds of which there are more than were looked at: the oldest are left out. */
    more: z.array(z.enum(todayKinds)),
    /** The server's clock. */
    now: z.string(),
  }),
});

/** How many of them may be done now, and how many of these are overdue. */
export const countToday = defineRoute({
  method: "GET",
  path: "/api/today/count",
  summary: "How much there is to do next",
  response: z.object({ count: z.number(), overdue: z.number() }),
});
