import { z } from "zod";

/** Systems the portal integrates with. 'webhooks': leads sent by other systems. */
export const integrations = ["ghl", "twilio", "webhooks", "google", "email"] as const;
export type Integration = (typeof integrations)[number];

/** Check results, ordered from good to bad. 'off': not in use, or unknown at the moment. */
export const checkStatuses = ["ok", "off", "warn", "fail"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** The checks. */
export const checkNames = [
  "credentials",
  "connection",
  "scopes",
  "rateLimit",
  "reachability",
  "visitors",
  "storedSecrets",
  "numberWebhooks",
  "numberFallback",
  "callFallback",
  "calls",
  "messagingService",
  "poolNumbers",
  "lastEvent",
  "queue",
  "lastSync",
  "wholeRead",
  "outbox",
  "reports",
] as const;
export type CheckName = (typeof checkNames)[number];

/** Check findings. The web app has a text for each and for what to do about it. */
export const findings = [
  "accepted",
  "refused",
  "no_answer",
  "busy",
  "unexpected_answer",
  "not_configured",
  "location_unknown",
  "scopes_granted",
  "scopes_missing",
  "app_connected",
  "app_scopes_missing",
  "app_lost",
  "app_unrenewed",
  "app_not_connected",
  "private_token_used",
  "private_token_old",
  "accounts_connected",
  "accounts_ended",
  "api_off",
  "domain_policy",
  "no_accounts",
  "not_used",
  "open_to_all",
  "keys_set",
  "no_keys",
  "left",
  "nearly_used_up",
  "used_up",
  "paced",
  "not_reported",
  "reachable",
  "local_only",
  "not_encrypted",
  "unreachable",
  "answered_by_another",
  "told_apart",
  "proxy_unknown",
  "secrets_readable",
  "secrets_rotating",
  "secrets_rotated",
  "secrets_unreadable",
  "number_set",
  "number_elsewhere",
  "number_unknown",
  "number_fallback_set",
  "number_fallback_missing",
  "number_fallback_unfit",
  "call_fallback_set",
  "call_fallback_missing",
  "call_fallback_unfit",
  "call_fallback_endless",
  "fallback_unread",
  "calls_connect",
  "calls_not_connected",
  "service_set",
  "service_elsewhere",
  "service_unknown",
  "service_empty",
  "pool_set",
  "pool_elsewhere",
  "received",
  "none_received",
  "nothing_waits",
  "waiting",
  "slow",
  "stuck",
  "put_aside",
  "synced",
  "sync_failed",
  "sync_late",
  "never_synced",
  "whole_read",
  "whole_read_late",
  "deletions_held",
  "changes_failed",
  "reports_matched",
  "reports_unmatched",
  "check_failed",
] as const;
export type Finding = (typeof findings)[number];

/** The result of one check. Contains no secrets and no phone numbers. */
export const diagnosticCheckSchema = z.object({
  name: z.enum(checkNames),
  status: z.enum(checkStatuses),
  finding: z.enum(findings),
  /** Counts and seconds used in the finding's text. */
  values: z.record(z.string(), z.number()),
  /** When it happened, or since when it is waiting: an ISO timestamp. */
  at: z.string().nullable(),
  /** Technical details (addresses, a provider's error code) for administrators; null for other users. */
  detail: z.string().nullable(),
});
export type DiagnosticCheck = z.infer<typeof diagnosticCheckSchema>;

/** The checks of one integration, made just now. `status` is the worst of them. */
export const diagnosticReportSchema = z.object({
  integration: z.enum(integrations),
  status: z.enum(checkStatuses),
  checkedAt: z.string(),
  checks: z.array(diagnosticCheckSchema),
});
export type DiagnosticReport = z.infer<typeof diagnosticReportSchema>;

/** A setting at the telephony provider that points elsewhere, and the value it should have; an empty string means not set. */
export const telephonyChangeSchema = z.object({
  /** The system number or the configured Messaging Service. */
  target: z.enum(["number", "service"]),
  /** The provider's name of the setting. */
  field: z.string(),
  before: z.string(),
  after: z.string(),
});
export type TelephonyChange = z.infer<typeof telephonyChangeSchema>;

/** The proposed changes; `seen` is a hash that identifies exactly these. */
export const telephonyPlanSchema = z.object({ changes: z.array(telephonyChangeSchema), seen: z.string() });
export type TelephonyPlan = z.infer<typeof telephonyPlanSchema>;
