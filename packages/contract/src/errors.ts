import { z } from "zod";
import { syncFaultSchema } from "./sync-faults.ts";

/** All error codes of the API with their HTTP status. The texts are in the web's message catalogs. */
export const errorStatus = {
  invalid: 400,
  missing_credentials: 400,
  current_password_wrong: 400,
  password_too_short: 400,
  password_too_common: 400,
  /** The password is made of the user's name, email address or the product's name. */
  password_guessable: 400,
  phone_invalid: 400,
  image_invalid: 400,
  /** Not a WAV or MP3 file, damaged, or longer than a message may be. */
  sound_invalid: 400,
  /** The one-time link was already used, has expired or does not exist. */
  password_link_invalid: 400,
  /** The second-factor code or recovery code is wrong or was already used. */
  code_wrong: 400,
  /** The passkey response is invalid, too late, or belongs to no known passkey. */
  passkey_refused: 400,
  lead_without_phone: 400,
  rep_without_phone: 400,
  unauthenticated: 401,
  /** The session requires the second-factor code. */
  second_factor_needed: 401,
  /** The user's role requires a second factor, and none is set up yet. */
  second_factor_setup_needed: 401,
  invalid_credentials: 401,
  admin_login_failed: 401,
  signature_invalid: 403,
  forbidden: 403,
  not_your_lead: 403,
  origin_refused: 403,
  not_found: 404,
  no_recording: 404,
  message_empty: 400,
  message_too_long: 400,
  /** The message contains a template field that was not replaced. */
  message_unfilled: 400,
  conflict: 409,
  /** The data has changed since the user saw it. The current values are in `now`; the user chooses. */
  changed_meanwhile: 409,
  email_taken: 409,
  /** The time slot of the meeting has been taken. */
  slot_taken: 409,
  already_converted: 409,
  /** A lead with this phone number or email address exists already. */
  lead_exists: 409,
  /** The leads cannot be merged, or the merge cannot be undone, now (`mergeRefusal`). */
  merge_refused: 409,
  /** The last active administrator cannot be deactivated or made a consultant. */
  last_admin: 409,
  /** Passwords are managed by the external login provider. */
  passwords_off: 409,
  contact_refused: 409,
  rep_on_call: 409,
  lead_on_call: 409,
  call_not_live: 409,
  call_live: 409,
  /** The call is not at a voicemail, or there is no message to leave for this lead. */
  message_refused: 409,
  no_leads: 409,
  outcome_missing: 409,
  number_changed: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_attempts: 429,
  rate_limited: 429,
  internal: 500,
  provider_refused: 502,
  provider_unavailable: 502,
  provider_off: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Contact channels, each with its own rules: a call, an SMS, a recorded message on the lead's voicemail. */
export const contactChannels = ["call", "text", "voicemail_drop"] as const;
export type ContactChannel = (typeof contactChannels)[number];

/** Why the contact policy does not allow contacting a lead now. */
export const contactRefusals = [
  "no_phone",
  "invalid_phone",
  "country_not_allowed",
  "premium_number",
  "opted_out",
  /** The lead was deleted at its source. */
  "deleted",
  "number_fault",
  "no_consent",
  "outside_hours",
  "attempt_cap",
  "rep_cap",
  "lead_on_call",
  "rep_on_call",
] as const;
export type ContactRefusal = (typeof contactRefusals)[number];

/** Why two leads cannot be merged, or a merge cannot be undone, now. */
export const mergeRefusals = [
  /** A call with one of them is in progress. */
  "call",
  /** An SMS to or from one of them is pending. */
  "text",
  /** A dialer session still has one of them in its list. */
  "session",
  /** A change of one of them is being sent to the CRM. */
  "crm",
  /** Both are clients, and each conversion must be kept. */
  "both_clients",
  /** Both have a report of the same call. */
  "same_call",
  /** The lead was merged again since; the later merge must be undone first. */
  "later_merge",
  /** The merge is older than seven days. */
  "too_old",
  /** Another lead now has its email address or CRM contact. */
  "address_taken",
] as const;
export type MergeRefusal = (typeof mergeRefusals)[number];

/** Body of every response that is not 2xx. `message` is the recorded text if there is one. */
export const errorBodySchema = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string().optional(),
  /** For `contact_refused`: the reason. */
  reason: z.enum(contactRefusals).optional(),
  /** With `reason`: when contact will be allowed; omitted if unknown. */
  nextAllowedAt: z.string().optional(),
  /** For `provider_unavailable` of a sync: why it failed. */
  syncFault: syncFaultSchema.optional(),
  /** For 429: seconds to wait before retrying. */
  retryAfterSeconds: z.number().optional(),
  /** For `changed_meanwhile`: the current values of the fields that differ from what the user saw. */
  now: z.record(z.string(), z.string().nullable()).optional(),
  /** For `merge_refused`: the reason. */
  mergeRefusal: z.enum(mergeRefusals).optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
