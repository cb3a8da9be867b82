import { z } from "zod";
import { daySchema, idListSchema, idSchema, noFilter, pageQuerySchema, text } from "../entities/fields.ts";
import { leadSchema, leadStatuses, priorities } from "../entities/lead.ts";
import { leadSorts } from "../entities/lead-list.ts";
import { firstCallBands, previousRanges } from "../entities/report.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";
import { leadWorkFilters } from "./leads.ts";

/** What depends on who looks and when: whether a lead may be contacted, its clock, unread texts. */
const atWork = {
  callRefusal: true,
  callAllowedAt: true,
  textRefusal: true,
  textAllowedAt: true,
  callOverride: true,
  textOverride: true,
  timeZone: true,
  unreadTexts: true,
} as const;

/** A lead of the whole system, without that. */
export const systemLeadSchema = leadSchema.omit(atWork);
export type SystemLead = z.infer<typeof systemLeadSchema>;

/** The recorded orders, which the page's filter offers; the others are those of column heads. */
export const allLeadSorts = ["newest", "oldest", "name", "name_desc"] as const;
export const calledFilters = ["yes", "no", "once", "twice", "often"] as const;
export type CalledFilter = (typeof calledFilters)[number];
export const assignmentFilters = ["all", "assigned", "unassigned"] as const;

/** Filters of All Leads and those that reports open; empty values and 'all' mean no filter. */
export const allLeadsFilters = {
  /** Name, e-mail, phone in any format, company. */
  search: text(limits.searchMaxLength).optional(),
  status: z.enum([...leadStatuses, "all", ""]).optional(),
  priority: z.enum([...priorities, "all", ""]).optional(),
  assignment: z.enum([...assignmentFilters, ""]).optional(),
  /** Assigned to this consultant. */
  rep: z.union([noFilter, idSchema]).optional(),
  /** Where the lead came from, exactly as it is kept. */
  source: text(limits.sourceMaxLength).optional(),
  /** 'others' keeps the leads of all sources but those that the report of `rep` and `created` names, 'none' those without a source. */
  sources: z.enum(["others", "none", ""]).optional(),
  /** Created within the range, as the reports count it. */
  created: z.enum(["week", "month", ...previousRanges, "all", ""]).optional(),
  /** Converted within the range. */
  converted: z.enum(["week", "month", ...previousRanges, "all", ""]).optional(),
  /** Converted on this day of the organisation's clock; with `convertedUntil` the first of several. */
  convertedOn: z.union([noFilter, daySchema]).optional(),
  convertedUntil: z.union([noFilter, daySchema]).optional(),
  /** How soon the lead was first called: within so many minutes, and no earlier band. */
  firstCall: z.enum([...firstCallBands, ""]).optional(),
  /** How often the lead was called (logged outbound calls); with `calledIn` within that range, else ever. `often` is three times or more. */
  called: z.enum([...calledFilters, ""]).optional(),
  calledIn: z.enum(["today", "week", "month", "all", ""]).optional(),
  ...leadWorkFilters,
  sort: z.enum([...leadSorts, ""]).optional(),
};

/**
 * All leads of the system, newest first unless sorted otherwise. Without `limit` the whole recorded array, streamed; with it a keyset
 * page (`pageHeaders`). `detail=work` adds for administrators, who may act on every lead, whether it may be contacted and its unread texts.
 */
export const listAllLeads = defineRoute({
  method: "GET",
  path: "/api/leads/all",
  summary: "All leads of the system",
  query: pageQuerySchema.extend({ ...allLeadsFilters, detail: z.enum(["work", ""]).optional() }),
  response: z.array(systemLeadSchema.extend(leadSchema.pick(atWork).partial().shape)),
});

/** Cards of All Leads. */
export const getAllLeadsStats = defineRoute({
  method: "GET",
  path: "/api/leads/all/stats",
  summary: "Figures of all leads",
  response: z.object({
    total: z.number(),
    assigned: z.number(),
    unassigned: z.number(),
    converted: z.number(),
  }),
});

const leadIds = z.array(idSchema).min(1).max(limits.assignLeadsMax);

/**
 * Gives several leads to a consultant, each as `assignLead` does; what is refused for one holds up no other.
 * Errors: `invalid` (no active consultant).
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

/** The filtered leads, or those of `ids` (comma-separated, at most 1,000), as `leads.csv` or `.json`, streamed. CSV is safe from formulas. */
export const exportLeads = defineRoute({
  method: "GET",
  path: "/api/leads/export",
  summary: "Leads as a file",
  query: z.object({
    ...allLeadsFilters,
    ids: idListSchema.optional(),
    format: z.enum(["csv", "json"]).default("csv"),
  }),
  response: z.unknown(),
});
