import { z } from "zod";
import { defineRoute } from "../route.ts";

/** Steps that only a person can take at a vendor; the portal cannot read their state. */
export const goLiveSteps = [
  "geo_permissions",
  "a2p_registration",
  "stir_shaken",
  "caller_name",
  "media_authentication",
  "google_consent",
] as const;
export type GoLiveStep = (typeof goLiveSteps)[number];

/** A step is asked again, and a test call made again, after so many days: vendors change their rules, and companies their numbers and countries. */
export const goLiveStepDays = 90;

/** A step, and who last said that it is done. */
export const goLiveStepSchema = z.object({
  step: z.enum(goLiveSteps),
  done: z.object({ at: z.string(), by: z.string() }).nullable(),
  /** To be seen to: not done, or done more than 90 days ago. */
  isOpen: z.boolean(),
});
export type GoLiveStepState = z.infer<typeof goLiveStepSchema>;

/**
 * How far a test call is. `calling`: asked for; `ringing`, `answered`: the provider got through to the portal, and the phone does. Ends:
 * `passed`, the provider got through and asked what to say to the one who answered; `unanswered`, it got through and did not ask;
 * `not_reached`, it never got through; `refused`, it did not make the call.
 */
export const testCallStates = [
  "calling",
  "ringing",
  "answered",
  "passed",
  "unanswered",
  "not_reached",
  "refused",
] as const;

/** Why the provider did not make a call. */
export const testCallFailures = ["auth", "rate-limited", "invalid", "unavailable", "not-found"] as const;

/** A call from this portal to its maker's own phone, which proves that the provider reaches the portal's address from outside. */
export const testCallSchema = z.object({
  id: z.number(),
  state: z.enum(testCallStates),
  isLive: z.boolean(),
  askedAt: z.string(),
  askedBy: z.string(),
  /** When the provider first got through with the call's own one-time key; null where it has not. */
  reachedAt: z.string().nullable(),
  /** Why the provider did not make it, with its own code (Twilio's 21215, for example) where it gave one. */
  failure: z.object({ kind: z.enum(testCallFailures), code: z.number().nullable() }).nullable(),
  /** To be made again: it did not pass, is older than 90 days, or was made with another address of the portal. */
  isOpen: z.boolean(),
});
export type TestCall = z.infer<typeof testCallSchema>;

/** Backups of the database, as far as the portal made them. */
export const backupStateSchema = z.object({
  /** The last good one: the instant that it is of. */
  last: z.object({ at: z.string(), bytes: z.number(), isEncrypted: z.boolean() }).nullable(),
  /** When the newest that ended was begun, where it failed. */
  failedAt: z.string().nullable(),
  /** The schedule's hours; null: there is none. */
  everyHours: z.number().nullable(),
  /** To be seen to: no good one within twice those hours, or within a week where there is no schedule. */
  isOpen: z.boolean(),
});
export type BackupState = z.infer<typeof backupStateSchema>;

/**
 * What has to be true before the team goes live, as far as it is not in the diagnostics: the steps by hand, the last test call of anybody,
 * and in which countries leads have their numbers.
 */
export const getGoLive = defineRoute({
  method: "GET",
  path: "/api/go-live",
  summary: "The go-live checklist: steps by hand, the last test call",
  response: z.object({
    steps: z.array(goLiveStepSchema),
    testCall: testCallSchema.nullable(),
    /** The asker's own phone, which a test call rings, as it was typed; null where they have none. */
    ownPhone: z.string().nullable(),
    /** Whether calls can be made at all: there is a provider with keys. */
    canCall: z.boolean(),
    /** Most leads first; ISO 3166 codes. */
    countries: z.array(z.object({ country: z.string(), leads: z.number() })),
    backup: backupStateSchema,
  }),
});

const step = z.object({ step: z.enum(goLiveSteps) });

/** Keeps that a step is done, now and by the one who says so; an earlier mark is replaced. */
export const markGoLiveStep = defineRoute({
  method: "POST",
  path: "/api/go-live/steps/:step",
  summary: "Mark a step of the go-live checklist as done",
  params: step,
  response: goLiveStepSchema,
});

/** Takes the mark of a step back, whoever's it was; one that has none stays as it is. */
export const unmarkGoLiveStep = defineRoute({
  method: "DELETE",
  path: "/api/go-live/steps/:step",
  summary: "Take the mark of a step back",
  params: step,
  response: goLiveStepSchema,
});

/**
 * Rings the asker's own phone, once: while a test call of theirs is live the same one is answered. Never repeated by itself. What the
 * provider refuses shows in the call's state. Errors: `provider_off`, `rep_without_phone`, `rep_on_call`.
 */
export const startTestCall = defineRoute({
  method: "POST",
  path: "/api/go-live/test-call",
  summary: "Ring one's own phone, to see that the portal is reached from outside",
  response: testCallSchema,
});
