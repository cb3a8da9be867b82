import { z } from "zod";
import { leadStatuses } from "../entities/lead.ts";
import { defineRoute } from "../route.ts";

const leadOf = { leadId: z.number(), leadName: z.string(), leadStatus: z.enum(leadStatuses) };

/** How often leads were called. Calls are logged outbound calls within the range; leads are all leads of the scope and status. */
export const callAnalyticsSchema = z.object({
  totalLeads: z.number(),
  neverCalled: z.number(),
  called1Time: z.number(),
  called2Times: z.number(),
  /** Three times or more. */
  called3Times: z.number(),
  totalCalls: z.number(),
  detailedStats: z.object({
    /** The newest 10. Clients are omitted unless filtered for, because they need no first contact, but are counted. */
    neverCalledLeads: z.array(z.object(leadOf)),
    /** The 15 leads with the most calls, most first. */
    callCountsByLead: z.array(
      z.object({ ...leadOf, callCount: z.number(), lastCallDate: z.string().nullable() }),
    ),
  }),
});
export type CallAnalytics = z.infer<typeof callAnalyticsSchema>;

/** How often leads were called: the user's assigned leads; for administrators, everyone's. Empty values and 'all' mean no filter. */
export const getCallAnalytics = defineRoute({
  method: "GET",
  path: "/api/analytics/call-data",
  summary: "Number of calls per lead",
  query: z.object({
    range: z.enum(["all", "today", "week", "month", ""]).optional(),
    status: z.enum([...leadStatuses, "all", ""]).optional(),
  }),
  response: callAnalyticsSchema,
});
