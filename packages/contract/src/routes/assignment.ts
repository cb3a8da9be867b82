import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { leadSchema } from "../entities/lead.ts";
import { salesRepSchema } from "../entities/meeting.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });
const handOver = {
  notes: text(limits.notesMaxLength).nullish(),
  /** The follow-up and the previous consultant's future meetings with the lead go along. */
  takeAlong: z.boolean().default(true),
};

/** Active consultants, by name. */
export const listSalesReps = defineRoute({
  method: "GET",
  path: "/api/sales-reps",
  summary: "Consultants that leads can be assigned to",
  response: z.array(salesRepSchema),
});

/**
 * Assigns a lead: anyone for unassigned leads, the assignee and administrators. To whom it is assigned already changes nothing.
 * Errors: `invalid` (no active consultant), `not_found`, `not_your_lead`.
 */
export const assignLead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/assign",
  summary: "Assign a lead to a consultant",
  params: leadParams,
  body: z.strictObject({ salesRepId: idSchema, ...handOver }),
  response: z.object({ message: z.string(), lead: leadSchema }),
});

/** Transfers a lead to another consultant. Errors: as `assignLead`. */
export const transferLead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/transfer",
  summary: "Transfer a lead to another consultant",
  params: leadParams,
  body: z.strictObject({ newSalesRepId: idSchema, ...handOver }),
  response: z.object({ message: z.string(), lead: leadSchema }),
});

/** Groups of follow-ups by the organisation's days; `week` is the seven days after today, `later` what comes after those. */
export const followUpGroups = ["overdue", "today", "week", "later"] as const;
export type FollowUpGroup = (typeof followUpGroups)[number];

/**
 * Due work by the organisation's days, clients left out. `counts` cover everything, `leads` the chosen group, soonest first; `due` are those
 * whose time has come within the last day, whatever their group.
 */
export const listFollowUps = defineRoute({
  method: "GET",
  path: "/api/follow-ups",
  summary: "Follow-ups of the consultant's leads",
  query: z.object({ group: z.enum(followUpGroups).default("overdue") }),
  response: z.object({
    counts: z.object({ overdue: z.number(), today: z.number(), week: z.number(), later: z.number() }),
    /** At most 200. */
    leads: z.array(leadSchema),
    due: z.array(leadSchema),
  }),
});

const timedFollowUpSchema = z.object({
  leadId: z.number(),
  name: z.string(),
  /** When it is due, ISO. */
  at: z.string(),
});
export type TimedFollowUp = z.infer<typeof timedFollowUpSchema>;

/** One's own follow-ups with a time, from a day ago to three hours from now, soonest first: what to be reminded of. */
export const listTimedFollowUps = defineRoute({
  method: "GET",
  path: "/api/follow-ups/timed",
  summary: "Follow-ups whose time comes or came",
  response: z.array(timedFollowUpSchema),
});
