import { z } from "zod";
import { syncFaultSchema } from "./sync-faults.ts";

/** Every error the server answers with: its code and HTTP status. The texts are in the web's catalogues. */
export const errorStatus = {
  invalid: 400,
  missing_credentials: 400,
  current_password_wrong: 400,
  password_too_short: 400,
  password_too_common: 400,
  /** Made of its owner's name, their address or the product's words. */
  password_guessable: 400,
  phone_invalid: 400,
  image_invalid: 400,
  /** No WAV or MP3, damaged, or longer than a message may be. */
  sound_invalid: 400,
  /** A one-time link that is used up, too old or nobody's. */
  password_link_invalid: 400,
  /** A code of the second factor, or a recovery code, that is wrong or was used. */
  code_wrong: 400,
  /** An answer of a passkey that is not valid, too late, or nobody's. */
  passkey_refused: 400,
  lead_without_phone: 400,
  rep_without_phone: 400,
  unauthenticated: 401,
  /** The session waits for the code of the second factor. */
  second_factor_needed: 401,
  /** The role needs a second factor, and none is set up yet. */
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
  /** A field of a template stands in it that nothing took the place of. */
  message_unfilled: 400,
  conflict: 409,
  /** What the request would change is not as the person saw it: they choose (`now`). */
  changed_meanwhile: 409,
  email_taken: 409,
  /** The time of a meeting is taken by now. */
  slot_taken: 409,
  already_converted: 409,
  /** Somebody with this number or e-mail address is a lead already. */
  lead_exists: 409,
  /** Two leads cannot be merged, or a merge not undone, now (`mergeRefusal`). */
  merge_refused: 409,
  /** The last active administrator cannot be deactivated or made a consultant. */
  last_admin: 409,
  /** Passwords are the external login provider's. */
  passwords_off: 409,
  contact_refused: 409,
  rep_on_call: 409,
  lead_on_call: 409,
  call_not_live: 409,
  call_live: 409,
  /** No voicemail is on the line, or there is no message to leave with this lead. */
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

/** Ways to contact a lead, each with rules of its own: a call, a text, a recorded message at their voicemail. */
export const contactChannels = ["call", "text", "voicemail_drop"] as const;
export type ContactChannel = (typeof contactChannels)[number];

/** Reasons for which a lead may not be contacted now (design: "May I contact?"). */
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
  /** Somebody is on the line with one of them. */
  "call",
  /** A text to or from one of them is on its way. */
  "text",
  /** A dialer session has one of them before it. */
  "session",
  /** A change of one of them is being sent to the CRM. */
  "crm",
  /** Both are clients: each conversion stays one of its own. */
  "both_clients",
  /** Both have the report of one and the same call. */
  "same_call",
  /** The lead was merged again since: the later merge is undone first. */
  "later_merge",
  /** More than seven days ago. */
  "too_old",
  /** Another lead has its address or its contact by now. */
  "address_taken",
] as const;
export type MergeRefusal = (typeof mergeRefusals)[number];

/** Body of every answer that is not 2xx. `message` is the recorded text where there is one. */
export const errorBodySchema = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string().optional(),
  /** For `contact_refused`: why. */
  reason: z.enum(contactRefusals).optional(),
  /** With a reason: when contact will be allowed, or absent when that cannot be said. */
  nextAllowedAt: z.string().optional(),
  /** For `provider_unavailable` of a sync: why it failed. */
  syncFault: syncFaultSchema.optional(),
  /** For 429: seconds until the next try is worth it. */
  retryAfterSeconds: z.number().optional(),
  /** For `changed_meanwhile`: what is there now, of the fields that differ from what the person saw. */
  now: z.record(z.string(), z.string().nullable()).optional(),
  /** For `merge_refused`: why. */
  mergeRefusal: z.enum(mergeRefusals).optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
