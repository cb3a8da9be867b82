import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { leadSchema } from "./lead.ts";
import { retriedOutcomes } from "./retry.ts";

/** Reasons for a lead to be on Today, in the order in which they are worked. */
export const todayKinds = ["promise", "text", "missed_call", "new_lead", "retry", "follow_up"] as const;
export type TodayKind = (typeof todayKinds)[number];

/** Why a lead cannot be called yet: its time has not come, or the contact policy's reason. */
export const putOffReasons = ["promised", "retry_waiting", ...contactRefusals] as const;
export type PutOffReason = (typeof putOffReasons)[number];

/** Allowed range and default of the target for the first call to a new lead, in minutes of working time. */
export const firstCallMinutes = { from: 1, until: 1_440, usual: 5 } as const;

export const todayReasonSchema = z.object({
  kind: z.enum(todayKinds),
  /**
   * When it was promised or arrived. For a retry: since when it is due. For a new lead: when the target ends in the consultant's working
   * time; null if no working time is scheduled.
   */
  at: z.string().nullable(),
  /** Whether the promised time or the target for the first call has passed. */
  overdue: z.boolean(),
  /** For a retry: the rule that applies; null if a person decided it. */
  rule: z.object({ outcome: z.enum(retriedOutcomes), tries: z.number(), of: z.number() }).nullable(),
  /** For a new lead: when it arrived, and when the target ends if counted from then. */
  arrival: z.object({ at: z.string(), targetAt: z.string().nullable(), overdue: z.boolean() }).nullable(),
});
export type TodayReason = z.infer<typeof todayReasonSchema>;

/** A lead with all its reasons, the most important first. */
export const todayEntrySchema = z.object({
  lead: leadSchema,
  reasons: z.array(todayReasonSchema).min(1),
  /** Why it cannot be called now, and until when; `until` is null if waiting does not help. */
  putOff: z.object({ reason: z.enum(putOffReasons), until: z.string().nullable() }).nullable(),
  /** Nothing can be done now, so it is listed last. An SMS can be answered even if calls are not allowed. */
  isLater: z.boolean(),
});
export type TodayEntry = z.infer<typeof todayEntrySchema>;
