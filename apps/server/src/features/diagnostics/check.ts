import { isIP } from "node:net";
import {
  type CheckStatus,
  checkStatuses,
  type DiagnosticCheck,
  type DiagnosticReport,
  type Finding,
  type Integration,
} from "@portal/contract/entities/diagnostics";
import type { SourceAccess, WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import { getHealth } from "@portal/contract/routes/health";
import type { Logger } from "pino";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Mailer } from "../../ports/notification-channels.ts";
import type { CrmProbe, TelephonyProbe } from "../../ports/probe.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";
import type { EventFacts, OutboxFacts } from "./repository.ts";

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

const outboxSlowMs = 15 * 60_000;
const outboxStuckMs = 60 * 60_000;

/** The finding about changes that are pending for a provider or were refused by it. */
export function judgeOutbox({ pending, failed, oldestPendingAt }: OutboxFacts): Found {
  const seen = { values: { count: pending, failed }, at: oldestPendingAt };
  const sinceMs = oldestPendingAt ? Date.now() - oldestPendingAt.getTime() : 0;
  if (sinceMs > outboxStuckMs) return { status: "fail", finding: "stuck", ...seen };
  if (failed > 0) return { status: "warn", finding: "changes_failed", ...seen };
  if (sinceMs > outboxSlowMs) return { status: "warn", finding: "slow", ...seen };
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

const privateAddress =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.|::1$|::$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/i;
/** Names that no public DNS resolves (RFC 6761, RFC 6762, RFC 8375). */
const privateName = /(^|\.)(localhost|local|test|invalid|example|internal|home\.arpa|lan)$/i;

/** Whether an address is only reachable from this machine or its own network. */
export function isLocalAddress(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return privateAddress.test(host);
  return privateName.test(host) || !host.includes(".");
}

const eventsSlowMs = 60_000;
const eventsStuckMs = 10 * 60_000;

function waitingSince(at: Date | null): number {
  return at ? Date.now() - at.getTime() : 0;
}

/** Checks when the last event arrived. `sentTo`: the address that the sender should use; null if it is not set up. */
export function lastEventCheck(
  facts: () => Promise<EventFacts>,
  { sentTo = null }: { sentTo?: string | null } = {},
): Check {
  return {
    name: "lastEvent",
    look: async () => {
      const { lastAt } = await facts();
      if (lastAt) return { status: "ok", finding: "received", at: lastAt };
      return { status: sentTo ? "warn" : "ok", finding: "none_received", detail: sentTo };
    },
  };
}

/** Checks the events that are stored but not worked yet. */
export function queueCheck(facts: () => Promise<EventFacts>): Check {
  return {
    name: "queue",
    look: async (): Promise<Found> => {
      const { waiting, oldestWaitingAt, putAside } = await facts();
      const seen = { values: { count: waiting, putAside }, at: oldestWaitingAt };
      const sinceMs = waitingSince(oldestWaitingAt);
      if (sinceMs > eventsStuckMs) return { status: "fail", finding: "stuck", ...seen };
      if (sinceMs > eventsSlowMs) return { status: "warn", finding: "slow", ...seen };
      if (putAside > 0) return { status: "warn", finding: "put_aside", ...seen };
      return { status: "ok", finding: waiting > 0 ? "waiting" : "nothing_waits", ...seen };
    },
  };
}

const timeoutMs = 5_000;
const answerBytesMax = 1_000;
/** An event of the last day proves that the provider reaches the portal. */
const freshMs = 24 * 3_600_000;

/** The beginning of a response body; the rest is not read. */
async function head(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.length > answerBytesMax) break;
  }
  return text;
}

/** Requests this server's health at its public address, without following redirects. Returns what is wrong, or null. */
async function requestOwnHealth(
  publicUrl: string,
): Promise<{ wrong: "unreachable" | "answered_by_another"; detail: string } | null> {
  try {
    const response = await fetch(publicUrl + getHealth.path, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await head(response);
    if (response.ok && getHealth.response.safeParse(parse(text)).success) return null;
    return { wrong: "answered_by_another", detail: `${publicUrl}: HTTP ${response.status}` };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return { wrong: "unreachable", detail: `${publicUrl}: ${cause?.code ?? name}` };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Checks as well as possible from inside whether webhooks can reach the portal: requests the public address, and counts a recent event as
 * proof. `whenLocal`: the status if the address is only reachable from this machine or its network.
 */
export async function checkReachability(input: {
  publicUrl: string;
  whenLocal: CheckStatus;
  lastEventAt: Date | null;
}): Promise<Found> {
  const { publicUrl, whenLocal, lastEventAt } = input;
  const problem = await requestOwnHealth(publicUrl);
  if (problem) {
    const getsThrough = lastEventAt !== null && Date.now() - lastEventAt.getTime() < freshMs;
    return { status: getsThrough ? "warn" : "fail", finding: problem.wrong, detail: problem.detail };
  }
  if (isLocalAddress(publicUrl)) {
    return { status: whenLocal, finding: "local_only", detail: publicUrl };
  }
  if (!publicUrl.startsWith("https:")) return { status: "warn", finding: "not_encrypted", detail: publicUrl };
  return { status: "ok", finding: "reachable", detail: publicUrl };
}
