import { z } from "zod";
import { idSchema, text } from "../entities/fields.ts";
import { leadSchema } from "../entities/lead.ts";
import { salesRepSchema } from "../entities/meeting.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });
const handOver = {
  notes: text(limits.notesMaxLength).nullish(),
  /** Also moves the follow-up and the previous consultant's future meetings with the lead. */
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
 * Assigns a lead. Anyone may assign an unassigned lead; otherwise the assigned consultant and administrators. Assigning it to the current
 * consultant changes nothing. Errors: `invalid` (not an active consultant), `not_found`, `not_your_lead`.
 */
export const assignLead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/assign",
  summary: "Assign a lead to a consultant",
  params: leadParams,
  body: z.strictObject({ salesRepId: idSchema, ...handOver }),
  response: z.object({ message: z.string(), lead: leadSchema }),
});

/** Transfers a lead to another consultant. Errors: see `assignLead`. */
export const transferLead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/transfer",
  summary: "Transfer a lead to another consultant",
  params: leadParams,
  body: z.strictObject({ newSalesRepId: idSchema, ...handOver }),
  response: z.object({ message: z.string(), lead: leadSchema }),
});

/** Groups of follow-ups by days in the organization's time zone: `week` is the seven days after today, `later` everything after. */
export const followUpGroups = ["overdue", "today", "week", "later"] as const;
export type FollowUpGroup = (typeof followUpGroups)[number];

/**
 * Follow-ups by days in the organization's time zone, without clients. `counts` cover all groups, `leads` the chosen group, soonest first.
 * `due` are those that became due within the last day, in any group.
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
  /** When it is due, ISO timestamp. */
  at: z.string(),
});
export type TimedFollowUp = z.infer<typeof timedFollowUpSchema>;

/** The user's follow-ups with a time, from 24 hours ago to three hours from now, soonest first, for reminders. */
export const listTimedFollowUps = defineRoute({
  method: "GET",
  path: "/api/follow-ups/timed",
  summary: "Follow-ups with a time that is due or coming up",
  response: z.array(timedFollowUpSchema),
});
