import { z } from "zod";

/** What the portal is connected with. 'webhooks' are leads sent by other systems. */
export const integrations = ["ghl", "twilio", "webhooks", "google", "email"] as const;
export type Integration = (typeof integrations)[number];

/** 'off': not in use, or unknown at the moment. Ordered from good to bad otherwise. */
export const checkStatuses = ["ok", "off", "warn", "fail"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** What is looked at. */
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

/** What was found. Whoever shows it has words for it, and for what to do about it. */
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
  "not_told",
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

/** One thing that was looked at. No secrets, no phone numbers. */
export const diagnosticCheckSchema = z.object({
  name: z.enum(checkNames),
  status: z.enum(checkStatuses),
  finding: z.enum(findings),
  /** Counts and seconds that the words name. */
  values: z.record(z.string(), z.number()),
  /** When it happened, or since when it waits: an ISO instant. */
  at: z.string().nullable(),
  /** Technical words (addresses, a provider's code) for administrators; null for others. */
  detail: z.string().nullable(),
});
export type DiagnosticCheck = z.infer<typeof diagnosticCheckSchema>;

/** One integration, looked at just now. `status` is the worst of its checks. */
export const diagnosticReportSchema = z.object({
  integration: z.enum(integrations),
  status: z.enum(checkStatuses),
  checkedAt: z.string(),
  checks: z.array(diagnosticCheckSchema),
});
export type DiagnosticReport = z.infer<typeof diagnosticReportSchema>;

/** One setting at the telephony provider that leads elsewhere, and what it is to be; an empty text is nothing. */
export const telephonyChangeSchema = z.object({
  /** The system number, or the Messaging Service that is configured. */
  target: z.enum(["number", "service"]),
  /** In the provider's own words. */
  field: z.string(),
  before: z.string(),
  after: z.string(),
});
export type TelephonyChange = z.infer<typeof telephonyChangeSchema>;

/** What would be changed; `seen` stands for exactly this. */
export const telephonyPlanSchema = z.object({ changes: z.array(telephonyChangeSchema), seen: z.string() });
export type TelephonyPlan = z.infer<typeof telephonyPlanSchema>;
