import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { leadSchema } from "./lead.ts";
import { retriedOutcomes } from "./retry.ts";

/** Why a lead is on Today, in the order in which they are worked. */
export const todayKinds = ["promise", "text", "missed_call", "new_lead", "retry", "follow_up"] as const;
export type TodayKind = (typeof todayKinds)[number];

/** Why a lead is not called yet: its time has not come, or the contact policy's reason. */
export const putOffReasons = ["promised", "retry_waiting", ...contactRefusals] as const;
export type PutOffReason = (typeof putOffReasons)[number];

/** How many minutes of working time the first call to a new lead may take. */
export const firstCallMinutes = { from: 1, until: 1_440, usual: 5 } as const;

export const todayReasonSchema = z.object({
  kind: z.enum(todayKinds),
  /**
   * When it was promised or came, of a retry since when it is due, of a new lead when the target of its consultant's clock ends (null where no working
   * time is in sight).
   */
  at: z.string().nullable(),
  /** A promise, or the target of a first call, whose time is over. */
  overdue: z.boolean(),
  /** Of a retry: the rule that holds; null where somebody decided so. */
  rule: z.object({ outcome: z.enum(retriedOutcomes), tries: z.number(), of: z.number() }).nullable(),
  /** Of a new lead: when it came in, and when the target of that clock ends. */
  arrival: z.object({ at: z.string(), targetAt: z.string().nullable(), overdue: z.boolean() }).nullable(),
});
export type TodayReason = z.infer<typeof todayReasonSchema>;

/** A lead with all that asks for it, the strongest reason first. */
export const todayEntrySchema = z.object({
  lead: leadSchema,
  reasons: z.array(todayReasonSchema).min(1),
  /** Why it cannot be called now, and until when; without an instant where waiting does not help. */
  putOff: z.object({ reason: z.enum(putOffReasons), until: z.string().nullable() }).nullable(),
  /** Nothing can be done about it now: it stands below what can. A text can be answered where a call is not allowed. */
  isLater: z.boolean(),
});
export type TodayEntry = z.infer<typeof todayEntrySchema>;
