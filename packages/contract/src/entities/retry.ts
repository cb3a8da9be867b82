import { z } from "zod";
import { type LeadStatus, leadStatuses } from "./lead.ts";

/** Outcomes after which the retry rules call a lead again. Wrong and disconnected numbers are not retried until the number changes. */
export const retriedOutcomes = ["no_answer", "busy", "voicemail"] as const;
export type RetriedOutcome = (typeof retriedOutcomes)[number];

export const retryUnits = ["minutes", "hours", "days"] as const;

/** Statuses a rule may set: all except `converted`, which only a person sets, and `new`. */
export const retryStatuses = leadStatuses.filter(
  (status): status is Exclude<LeadStatus, "new" | "converted"> => status !== "new" && status !== "converted",
);

/** Allowed ranges of the whole numbers in a rule. */
export const retryRange = {
  attempts: { from: 0, until: 10 },
  gap: { from: 1, until: 365 },
  restDays: { from: 1, until: 365 },
} as const;

const wholeNumber = ({ from, until }: { from: number; until: number }) =>
  z.number().int().min(from).max(until);

/** What happens after the last attempt: a rest, after which the attempts start over; a status change; or a question to the consultant. */
export const retryEndSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rest"), days: wholeNumber(retryRange.restDays) }),
  z.object({ kind: z.literal("status"), status: z.enum(retryStatuses) }),
  z.object({ kind: z.literal("ask") }),
]);
export type RetryEnd = z.infer<typeof retryEndSchema>;

/** When and how often a lead is called again after a given outcome. */
export const retryRuleSchema = z.object({
  /** Further attempts after the first one with this outcome; 0 for none. */
  attempts: wholeNumber(retryRange.attempts),
  /** Minimum time since the last attempt. Days are days of the lead's calendar. */
  gap: z.object({ amount: wholeNumber(retryRange.gap), unit: z.enum(retryUnits) }),
  /** Skips hours of the day that were already tried, as long as an untried hour remains. */
  otherHour: z.boolean(),
  /** Hours of the lead's local day, within the permitted calling hours; null for all permitted hours. */
  hours: z
    .object({ from: z.number().int().min(0).max(23), until: z.number().int().min(1).max(24) })
    .refine(({ from, until }) => from < until, "The hours end before they begin.")
    .nullable(),
  end: retryEndSchema,
});
export type RetryRule = z.infer<typeof retryRuleSchema>;

/** One rule for each outcome. */
export const retryRulesSchema = z.object({
  no_answer: retryRuleSchema,
  busy: retryRuleSchema,
  voicemail: retryRuleSchema,
} satisfies Record<RetriedOutcome, typeof retryRuleSchema>);
export type RetryRules = z.infer<typeof retryRulesSchema>;

const restOfAMonth = { kind: "rest", days: 30 } as const;

/** The rules in effect until an administrator changes them. */
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
 * When a lead is called again: now (`due`), at a follow-up that a person planned (`promised`), after an instant (`waiting`), after a rest
 * (`resting`), once a person decides (`asks`), or never with the current number (`never`).
 */
export const nextTryKinds = ["due", "promised", "waiting", "resting", "asks", "never"] as const;

/** A lead's next attempt by the retry rules and the contact policy. Informational for manual calls; enforced by dialer sessions. */
export const nextTrySchema = z.object({
  kind: z.enum(nextTryKinds),
  /** For `promised`, `waiting` and `resting`: the earliest instant; null if it cannot be determined. */
  until: z.string().nullable(),
  /** The lead's IANA time zone. */
  timeZone: z.string(),
  /** The outcome whose rule applies, with the attempts so far and the maximum; null if no rule applies. */
  rule: z.object({ outcome: z.enum(retriedOutcomes), tries: z.number(), of: z.number() }).nullable(),
});
export type NextTry = z.infer<typeof nextTrySchema>;

/** Number of leads by kind of next attempt. Instants are the earliest of each kind. */
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

/**
 * Effect of the saved and the proposed rules on the current leads, grouped by the outcome of the last attempt. `others` are wrong and
 * disconnected numbers.
 */
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

/** The rules and their version, which increases with each change. */
export const savedRetryRulesSchema = z.object({ rules: retryRulesSchema, version: z.number() });
export type SavedRetryRules = z.infer<typeof savedRetryRulesSchema>;
