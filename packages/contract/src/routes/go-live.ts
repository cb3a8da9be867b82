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

/**
 * Number of days after which a step must be confirmed and a test call made again: vendors change their rules, and companies their numbers
 * and countries.
 */
export const goLiveStepDays = 90;

/** A step, and when and by whom it was last marked as done. */
export const goLiveStepSchema = z.object({
  step: z.enum(goLiveSteps),
  done: z.object({ at: z.string(), by: z.string() }).nullable(),
  /** Needs attention: not done, or done more than 90 days ago. */
  isOpen: z.boolean(),
});
export type GoLiveStepState = z.infer<typeof goLiveStepSchema>;

/**
 * State of a test call. `calling`: requested. `ringing`, `answered`: the provider reached the portal, and the phone rings or was answered.
 * Final: `passed`: the provider reached the portal and requested the instructions for the answered call; `unanswered`: it reached the
 * portal but did not request them; `not_reached`: it never reached the portal; `refused`: it did not place the call.
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

/** Why the provider did not place a call. */
export const testCallFailures = ["auth", "rate-limited", "invalid", "unavailable", "not-found"] as const;

/** A call from the portal to the phone of the user who requested it. It proves that the provider can reach the portal's public URL. */
export const testCallSchema = z.object({
  id: z.number(),
  state: z.enum(testCallStates),
  isLive: z.boolean(),
  askedAt: z.string(),
  askedBy: z.string(),
  /** When the provider first reached the portal with the call's one-time key; null if it has not. */
  reachedAt: z.string().nullable(),
  /** Why the provider did not place the call, with its error code (for example Twilio's 21215) if it gave one. */
  failure: z.object({ kind: z.enum(testCallFailures), code: z.number().nullable() }).nullable(),
  /** Must be made again: it did not pass, is older than 90 days, or was made with another URL of the portal. */
  isOpen: z.boolean(),
});
export type TestCall = z.infer<typeof testCallSchema>;

/** Database backups made by the portal. */
export const backupStateSchema = z.object({
  /** The last successful backup; `at` is the instant of its data. */
  last: z.object({ at: z.string(), bytes: z.number(), isEncrypted: z.boolean() }).nullable(),
  /** When the newest finished backup started, if it failed; otherwise null. */
  failedAt: z.string().nullable(),
  /** Interval of the schedule in hours; null without a schedule. */
  everyHours: z.number().nullable(),
  /** Needs attention: no successful backup within twice that interval, or within a week without a schedule. */
  isOpen: z.boolean(),
});
export type BackupState = z.infer<typeof backupStateSchema>;

/**
 * Go-live requirements that are not part of the diagnostics: manual steps, the last test call by any user, backups, and the countries of
 * the leads' phone numbers.
 */
export const getGoLive = defineRoute({
  method: "GET",
  path: "/api/go-live",
  summary: "Go-live checklist: manual steps and the last test call",
  response: z.object({
    steps: z.array(goLiveStepSchema),
    testCall: testCallSchema.nullable(),
    /** The user's own phone number, which a test call rings, as typed; null if not set. */
    ownPhone: z.string().nullable(),
    /** Whether calls can be made: a provider with keys is configured. */
    canCall: z.boolean(),
    /** Most leads first; ISO 3166 codes. */
    countries: z.array(z.object({ country: z.string(), leads: z.number() })),
    backup: backupStateSchema,
  }),
});

const step = z.object({ step: z.enum(goLiveSteps) });

/** Marks a step as done now by the signed-in user; replaces an earlier mark. */
export const markGoLiveStep = defineRoute({
  method: "POST",
  path: "/api/go-live/steps/:step",
  summary: "Mark a step of the go-live checklist as done",
  params: step,
  response: goLiveStepSchema,
});

/** Removes the mark of a step, no matter who set it. Idempotent. */
export const unmarkGoLiveStep = defineRoute({
  method: "DELETE",
  path: "/api/go-live/steps/:step",
  summary: "Unmark a step of the go-live checklist",
  params: step,
  response: goLiveStepSchema,
});

/**
 * Calls the user's own phone once; while a test call of the user is live, returns that call. Never retried automatically. If the provider
 * refuses, the call's state shows it. Errors: `provider_off`, `rep_without_phone`, `rep_on_call`.
 */
export const startTestCall = defineRoute({
  method: "POST",
  path: "/api/go-live/test-call",
  summary: "Start a test call to the user's phone, to check that the portal is reachable",
  response: testCallSchema,
});
