import {
  type CheckStatus,
  checkStatuses,
  type DiagnosticCheck,
  type DiagnosticReport,
  type Finding,
  type Integration,
} from "@portal/contract/entities/diagnostics";
import type { SourceAccess, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { Logger } from "pino";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Mailer } from "../../ports/notification-channels.ts";
import type { CrmProbe, TelephonyProbe } from "../../ports/probe.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";
import type { OutboxFacts } from "./repository.ts";

/** The result of a check before it is presented. */
export interface Found {
  status: CheckStatus;
  finding: Finding;
  values?: Record<string, number | null | undefined>;
  at?: Date | null;
  detail?: string | null;
}

/** One check. An error thrown by it becomes a finding. */
export interface Check {
  name: DiagnosticCheck["name"];
  look: () => Promise<Found>;
}

/** Longer than the adapters' own time limits, so that their errors come first. */
const limitMs = 10_000;

function present(name: Check["name"], { status, finding, values = {}, at, detail }: Found): DiagnosticCheck {
  const numbers = Object.entries(values).filter(([, value]) => typeof value === "number");
  return {
    name,
    status,
    finding,
    values: Object.fromEntries(numbers) as Record<string, number>,
    at: at?.toISOString() ?? null,
    detail: detail ?? null,
  };
}

async function bounded<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

async function run({ name, look }: Check, onError: (error: unknown) => void): Promise<DiagnosticCheck> {
  try {
    return present(name, await bounded(look()));
  } catch (error) {
    onError(error);
    return present(name, { status: "fail", finding: "check_failed" });
  }
}

const byBadness = (a: CheckStatus, b: CheckStatus) => checkStatuses.indexOf(b) - checkStatuses.indexOf(a);

/** Runs the checks concurrently; one that fails or hangs does not affect the others. */
export async function runChecks(
  integration: Integration,
  checks: readonly Check[],
  onError: (error: unknown) => void,
): Promise<DiagnosticReport> {
  const done = await Promise.all(checks.map((check) => run(check, onError)));
  const isOff = done[0]?.name === "credentials" && done[0].status === "off";
  return {
    integration,
    status: isOff
      ? "off"
      : (done
          .map(({ status }) => status)
          .filter((status) => status !== "off")
          .sort(byBadness)[0] ?? "off"),
    checkedAt: new Date().toISOString(),
    checks: done,
  };
}

const slowMs = 15 * 60_000;
const stuckMs = 60 * 60_000;

/** The finding about changes that are pending for a provider or were refused by it. */
export function judgeOutbox({ pending, failed, oldestPendingAt }: OutboxFacts): Found {
  const seen = { values: { count: pending, failed }, at: oldestPendingAt };
  const sinceMs = oldestPendingAt ? Date.now() - oldestPendingAt.getTime() : 0;
  if (sinceMs > stuckMs) return { status: "fail", finding: "stuck", ...seen };
  if (failed > 0) return { status: "warn", finding: "changes_failed", ...seen };
  if (sinceMs > slowMs) return { status: "warn", finding: "slow", ...seen };
  return { status: "ok", finding: pending > 0 ? "waiting" : "nothing_waits", ...seen };
}

const byKind: Record<ProviderFailure, Pick<Found, "status" | "finding">> = {
  auth: { status: "fail", finding: "refused" },
  "not-found": { status: "fail", finding: "refused" },
  "rate-limited": { status: "warn", finding: "busy" },
  invalid: { status: "fail", finding: "unexpected_answer" },
  unavailable: { status: "fail", finding: "no_answer" },
};

/** The finding about a provider's failure. */
export function findingOf(error: unknown): Found {
  if (!(error instanceof ProviderError)) throw error;
  const code = error.providerCode === null ? "" : ` (${error.providerCode})`;
  return {
    ...byKind[error.kind],
    values: { seconds: error.retryAfterSeconds },
    detail: error.message + code,
  };
}

/** Shares one request between the checks that use its result. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

/** Dependencies of the checks. */
export interface DiagnosticsContext {
  db: Db;
  database: Database;
  log: Logger;
  publicUrl: string;
  /** Null without a configuration. */
  crm: CrmProbe | null;
  crmConnection: CrmConnectionContext;
  telephony: TelephonyProbe | null;
  /** E.164; null without one. */
  officeLine: string | null;
  /** Google Calendar is configured. */
  hasCalendar: boolean;
  /** Null without a mail configuration. */
  mailer: Mailer | null;
  /** All clients have the same address, so a proxy is not trusted yet. */
  isProxyUnknown: boolean;
  encryptionKeys: EncryptionKeys;
  /** How a source authenticates its senders. */
  accessOf: (source: WebhookSourceName) => Promise<SourceAccess>;
}
