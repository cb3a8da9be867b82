import { z } from "zod";
import { type LeadStatus, leadStatuses } from "./lead.ts";

/** Outcomes after which a lead is called again by rule. A wrong or disconnected number never is, until it changes. */
export const retriedOutcomes = ["no_answer", "busy", "voicemail"] as const;
export type RetriedOutcome = (typeof retriedOutcomes)[number];

export const retryUnits = ["minutes", "hours", "days"] as const;

/** Statuses that a rule may give: a client is made by a person, and nobody becomes new again. */
export const retryStatuses = leadStatuses.filter(
  (status): status is Exclude<LeadStatus, "new" | "converted"> => status !== "new" && status !== "converted",
);

/** Whole numbers that a rule may have. */
export const retryRange = {
  attempts: { from: 0, until: 10 },
  gap: { from: 1, until: 365 },
  restDays: { from: 1, until: 365 },
} as const;

const wholeNumber = ({ from, until }: { from: number; until: number }) =>
  z.number().int().min(from).max(until);

/** What happens after the last try: a rest, after which the tries begin anew; a status; or the consultant is asked. */
export const retryEndSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rest"), days: wholeNumber(retryRange.restDays) }),
  z.object({ kind: z.literal("status"), status: z.enum(retryStatuses) }),
  z.object({ kind: z.literal("ask") }),
]);
export type RetryEnd = z.infer<typeof retryEndSchema>;

/** When and how often a lead is called again after one outcome. */
export const retryRuleSchema = z.object({
  /** Further tries after the first one with this outcome; 0 for none. */
  attempts: wholeNumber(retryRange.attempts),
  /** At least so long after the last try; days are those of the lead's calendar. */
  gap: z.object({ amount: wholeNumber(retryRange.gap), unit: z.enum(retryUnits) }),
  /** No further try in an hour of the day in which they were tried already, as long as there is another one. */
  otherHour: z.boolean(),
  /** Hours of the lead's day, within those in which leads may be called at all; null for all of those. */
  hours: z
    .object({ from: z.number().int().min(0).max(23), until: z.number().int().min(1).max(24) })
    .refine(({ from, until }) => from < until, "The hours end before they begin.")
    .nullable(),
  end: retryEndSchema,
});
export type RetryRule = z.infer<typeof retryRuleSchema>;

/** A rule for each outcome. */
export const retryRulesSchema = z.object({
  no_answer: retryRuleSchema,
  busy: retryRuleSchema,
  voicemail: retryRuleSchema,
} satisfies Record<RetriedOutcome, typeof retryRuleSchema>);
export type RetryRules = z.infer<typeof retryRulesSchema>;

const restOfAMonth = { kind: "rest", days: 30 } as const;

/** What holds until administrators change it. */
export const defaultRetryRules: RetryRules = {
  no_answer: {
    attempts: 3,
    gap: { amount: 4, unit: "hours" },
    otherHour: true,
    hours: null,
    end: restOfAMonth,
  },
  busy: {
    attempts: 3,
    gap: { amount: 30, unit: "minutes" },
    otherHour: true,
    hours: null,
    end: restOfAMonth,
  },
  voicemail: {
    attempts: 2,
    gap: { amount: 1, unit: "days" },
    otherHour: true,
    hours: null,
    end: restOfAMonth,
  },
};

/**
 * When a lead is called again: at once, when a follow-up that somebody planned comes (`promised`), not before an instant, after a rest, when somebody
 * decides (`asks`), or never while the number is what it is.
 */
export const nextTryKinds = ["due", "promised", "waiting", "resting", "asks", "never"] as const;

/** A lead's next try by the retry rules and the contact policy. They inform whoever calls by hand; sessions keep to them. */
export const nextTrySchema = z.object({
  kind: z.enum(nextTryKinds),
  /** With `promised`, `waiting` and `resting`: the first instant, where it can be told. */
  until: z.string().nullable(),
  /** The lead's zone, IANA. */
  timeZone: z.string(),
  /** The outcome whose rule holds, with its tries so far and how many there are; null where none does. */
  rule: z.object({ outcome: z.enum(retriedOutcomes), tries: z.number(), of: z.number() }).nullable(),
});
export type NextTry = z.infer<typeof nextTrySchema>;

/** How many leads are where; instants are the first of each kind. */
const retryCountsSchema = z.object({
  due: z.number(),
  promised: z.number(),
  waiting: z.number(),
  waitingUntil: z.string().nullable(),
  resting: z.number(),
  restingUntil: z.string().nullable(),
  asks: z.number(),
  never: z.number(),
});
export type RetryCounts = z.infer<typeof retryCountsSchema>;

/** What the saved rules and proposed ones mean for the leads of now, by the outcome of their last try; `others` are wrong and disconnected numbers. */
export const retryPreviewSchema = z.object({
  groups: z.array(
    z.object({
      outcome: z.enum([...retriedOutcomes, "others"]),
      before: retryCountsSchema,
      after: retryCountsSchema,
    }),
  ),
});
export type RetryPreview = z.infer<typeof retryPreviewSchema>;

/** The rules with their version, which counts the changes. */
export const savedRetryRulesSchema = z.object({ rules: retryRulesSchema, version: z.number() });
export type SavedRetryRules = z.infer<typeof savedRetryRulesSchema>;
