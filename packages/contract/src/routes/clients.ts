import { z } from "zod";
import { daySchema, pageQuerySchema, repFilterSchema, text } from "../entities/fields.ts";
import { lastAttemptFields, priorities } from "../entities/lead.ts";
import { previousRanges } from "../entities/report.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** A lead that became a client. */
export const convertedClientSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  priority: z.enum(priorities),
  convertedDate: z.string(),
  originalSource: z.string().nullable(),
  conversionValue: z.number(),
  salesRepName: z.string().nullable(),
  /** Logged outbound calls. */
  totalCalls: z.number(),
  lastContactDate: z.string().nullable(),
  ...lastAttemptFields,
});
export type ConvertedClient = z.infer<typeof convertedClientSchema>;

export const clientSorts = ["recent", "name", "value", "calls"] as const;
export const clientFilters = ["all", "high_value", "recent"] as const;

/** Search covers name, email and phone; `recent` is within 30 days, `high_value` above 1000. Empty values mean no filter. */
const clientQuery = {
  search: text(limits.searchMaxLength).optional(),
  sort: z.enum([...clientSorts, ""]).optional(),
  filter: z.enum([...clientFilters, ""]).optional(),
  /** Converted within the range, with the same boundaries as in the reports. */
  range: z.enum(["week", "month", ...previousRanges, "all", ""]).optional(),
  /** Converted on this day in the organization's time zone; with `until`, the first day. */
  day: daySchema.optional(),
  until: daySchema.optional(),
  /** Converted by this consultant, or by any. */
  rep: repFilterSchema.optional(),
};

/** Everyone's clients, latest first by default. Without `limit` the whole list; with it a keyset page (`pageHeaders`). */
export const listClients = defineRoute({
  method: "GET",
  path: "/api/clients/converted",
  summary: "Clients",
  query: pageQuerySchema.extend(clientQuery),
  response: z.array(convertedClientSchema),
});

/**
 * Totals over all clients. `thisMonth` is the month in the organization's time zone. Conversion rate in percent of all leads; null without
 * leads.
 */
export const getClientStats = defineRoute({
  method: "GET",
  path: "/api/clients/stats",
  summary: "Metrics of all clients",
  response: z.object({
    totalClients: z.number(),
    thisMonth: z.number(),
    /** First day of that month: filtering clients with `day` from this day on gives those of `thisMonth`. */
    monthStart: z.string(),
    totalValue: z.number(),
    averageValue: z.number(),
    conversionRate: z.number().nullable(),
  }),
});

/** Exports the filtered clients as a streamed `converted-clients.csv` or `.json`. The header `x-total-count` has their number. */
export const exportClients = defineRoute({
  method: "GET",
  path: "/api/clients/export",
  summary: "Export the filtered clients",
  query: z.object({ ...clientQuery, format: z.enum(["csv", "json"]).default("csv") }),
  response: z.unknown(),
});
