import { z } from "zod";
import { daySchema, idListSchema, idSchema, noFilter, pageQuerySchema, text } from "../entities/fields.ts";
import { leadSchema, leadStatuses, priorities } from "../entities/lead.ts";
import { leadSorts } from "../entities/lead-list.ts";
import { firstCallBands, previousRanges } from "../entities/report.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";
import { leadWorkFilters } from "./leads.ts";

/** Fields that depend on the user, the time and other rows: whether the lead may be contacted, its time zone, unread SMS, merges. */
const atWork = {
  callRefusal: true,
  callAllowedAt: true,
  textRefusal: true,
  textAllowedAt: true,
  callOverride: true,
  textOverride: true,
  timeZone: true,
  unreadTexts: true,
  isMerged: true,
} as const;

/** A lead in the list of all leads, without those fields. */
export const systemLeadSchema = leadSchema.omit(atWork);
export type SystemLead = z.infer<typeof systemLeadSchema>;

/** The recorded sort orders, offered by the page's filter; the others belong to column headers. */
export const allLeadSorts = ["newest", "oldest", "name", "name_desc"] as const;
export const calledFilters = ["yes", "no", "once", "twice", "often"] as const;
export type CalledFilter = (typeof calledFilters)[number];
export const assignmentFilters = ["all", "assigned", "unassigned"] as const;

/** Filters of All Leads, including those used by links from the reports. Empty values and 'all' mean no filter. */
export const allLeadsFilters = {
  /** Name, email, phone in any format, company. */
  search: text(limits.searchMaxLength).optional(),
  status: z.enum([...leadStatuses, "all", ""]).optional(),
  priority: z.enum([...priorities, "all", ""]).optional(),
  assignment: z.enum([...assignmentFilters, ""]).optional(),
  /** Assigned to this consultant. */
  rep: z.union([noFilter, idSchema]).optional(),
  /** The lead's source, exact match. */
  source: text(limits.sourceMaxLength).optional(),
  /** 'others': leads of all sources except those listed in the report of `rep` and `created`. 'none': leads without a source. */
  sources: z.enum(["others", "none", ""]).optional(),
  /** Created within the range, with the same boundaries as in the reports. */
  created: z.enum(["week", "month", ...previousRanges, "all", ""]).optional(),
  /** Converted within the range. */
  converted: z.enum(["week", "month", ...previousRanges, "all", ""]).optional(),
  /** Converted on this day in the organization's time zone; with `convertedUntil`, the first day. */
  convertedOn: z.union([noFilter, daySchema]).optional(),
  convertedUntil: z.union([noFilter, daySchema]).optional(),
  /** Band of the time to the first call: within this many minutes, excluding earlier bands. */
  firstCall: z.enum([...firstCallBands, ""]).optional(),
  /** Number of logged outbound calls with the lead, within the range `calledIn` or ever. `often` is three times or more. */
  called: z.enum([...calledFilters, ""]).optional(),
  calledIn: z.enum(["today", "week", "month", "all", ""]).optional(),
  ...leadWorkFilters,
  sort: z.enum([...leadSorts, ""]).optional(),
};

/**
 * All leads of the system, newest first by default. Without `limit` the whole recorded array, streamed; with it a keyset page
 * (`pageHeaders`). For administrators, who may act on every lead, `detail=work` adds whether it may be contacted and its unread SMS.
 */
export const listAllLeads = defineRoute({
  method: "GET",
  path: "/api/leads/all",
  summary: "All leads of the system",
  query: pageQuerySchema.extend({ ...allLeadsFilters, detail: z.enum(["work", ""]).optional() }),
  response: z.array(systemLeadSchema.extend(leadSchema.pick(atWork).partial().shape)),
});

/** Counts for the cards of All Leads. */
export const getAllLeadsStats = defineRoute({
  method: "GET",
  path: "/api/leads/all/stats",
  summary: "Metrics of all leads",
  response: z.object({
    total: z.number(),
    assigned: z.number(),
    unassigned: z.number(),
    converted: z.number(),
  }),
});

const leadIds = z.array(idSchema).min(1).max(limits.assignLeadsMax);

/**
 * Assigns several leads to a consultant, each as `assignLead` does. A lead that is refused does not affect the others. Errors: `invalid`
 * (not an active consultant).
 */
export const assignLeads = defineRoute({
  method: "POST",
  path: "/api/leads/assign",
  summary: "Assign several leads to a consultant",
  body: z.strictObject({
    leadIds,
    salesRepId: idSchema,
    notes: text(limits.notesMaxLength).nullish(),
    takeAlong: z.boolean().default(true),
  }),
  response: z.object({
    message: z.string(),
    assigned: z.number(),
    refused: z.array(z.object({ leadId: z.number(), code: z.enum(["not_your_lead", "not_found"]) })),
  }),
});

/**
 * Exports the filtered leads, or those of `ids` (comma-separated, at most 1,000), as a streamed `leads.csv` or `.json`. The CSV is
 * protected against formula injection.
 */
export const exportLeads = defineRoute({
  method: "GET",
  path: "/api/leads/export",
  summary: "Export leads",
  query: z.object({
    ...allLeadsFilters,
    ids: idListSchema.optional(),
    format: z.enum(["csv", "json"]).default("csv"),
  }),
  response: z.unknown(),
});
