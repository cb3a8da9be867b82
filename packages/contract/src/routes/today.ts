import { z } from "zod";
import { todayEntrySchema, todayKinds } from "../entities/today.ts";
import { defineRoute } from "../route.ts";

const todayCountsSchema = z.object({
  /** Entries that can be done now, and how many of them are overdue. */
  now: z.number(),
  overdue: z.number(),
  putOff: z.number(),
});

/** What the consultant does next, in order: first what can be done now, then what is put off. Only the consultant's own leads. */
export const listToday = defineRoute({
  method: "GET",
  path: "/api/today",
  summary: "Today: what to do next, with reasons",
  response: z.object({
    /** The first 200 entries that can be done now, and the first 100 that are put off. */
    entries: z.array(todayEntrySchema),
    counts: todayCountsSchema,
    /** Target for the first call to a new lead, in minutes of working time. */
    firstCallMinutes: z.number(),
    /** Kinds with more entries than were loaded; the oldest are omitted. */
    more: z.array(z.enum(todayKinds)),
    /** The server's current time. */
    now: z.string(),
  }),
});

/** The counts without the entries. */
export const countToday = defineRoute({
  method: "GET",
  path: "/api/today/count",
  summary: "Number of items in Today",
  response: todayCountsSchema,
});
