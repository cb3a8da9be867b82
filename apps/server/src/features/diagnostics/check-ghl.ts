import { setTimeout as sleep } from "node:timers/promises";
import type { CrmConnection } from "@portal/contract/entities/crm-connection";
import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import { CrmScopeMissing, CrmWrongLocation } from "../../ports/crm.ts";
import type { CrmProbe, LimitLeft } from "../../ports/probe.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { connectionStatus } from "../crm-connection/read-status.ts";
import {
  type Check,
  checkReachability,
  type DiagnosticsContext,
  type Found,
  findingOf,
  isLocalAddress,
  judgeOutbox,
  lastEventCheck,
  once,
  queueCheck,
} from "./check.ts";
import { readEventFacts, readOutboxFacts, readRunFacts, readWholeRead } from "./repository.ts";

const sources = ["gohighlevel"];
const webhookPath = "/api/ghl/webhook";
/** Below this share of the daily requests a warning is shown. */
const lowShare = 0.1;
/** Time limit for reading the missing scopes, which takes several requests. */
const scopesMs = 9_000;
/** Changes are read every 5 minutes. */
const lateMs = 20 * 60_000;
/** All contacts are read each night, or in the daytime if the last time is 30 hours ago. */
const wholeReadLateMs = 32 * 3_600_000;

function limitFound({ burst, daily }: { burst: LimitLeft; daily: LimitLeft }): Found {
  const values = { left: burst.left, of: burst.of, dailyLeft: daily.left, dailyOf: daily.of };
  if (daily.left === null && burst.left === null) return { status: "ok", finding: "not_reported" };
  if (daily.left === 0) return { status: "fail", finding: "used_up", values };
  const isLow = daily.left !== null && daily.of !== null && daily.left < daily.of * lowShare;
  return { status: isLow ? "warn" : "ok", finding: isLow ? "nearly_used_up" : "left", values };
}

/** The connection to the CRM, and what it lacks. Events have their own check. */
function connectionFound({ way, app, privateToken }: CrmConnection): Found {
  if (app?.lost) {
    return { status: way === "none" ? "fail" : "warn", finding: "app_lost", at: new Date(app.lost.at) };
  }
  if (app?.unrenewed) return { status: way === "none" ? "fail" : "warn", finding: "app_unrenewed" };
  if (way === "none") return { status: "fail", finding: "app_not_connected" };
  if (way === "app") {
    const missing = app?.missingScopes ?? [];
    if (missing.length === 0) return { status: "ok", finding: "app_connected" };
    const detail = missing.join(" ");
    return { status: "warn", finding: "app_scopes_missing", values: { count: missing.length }, detail };
  }
  if (!privateToken || privateToken.rotation === "fresh")
    return { status: "ok", finding: "private_token_used" };
  return { status: "warn", finding: "private_token_old", at: new Date(privateToken.since) };
}

async function checkRuns({ db }: DiagnosticsContext): Promise<Found> {
  const { last, lastGoodAt } = await readRunFacts(db);
  if (last?.state === "failed") {
    return { status: "fail", finding: "sync_failed", at: last.finishedAt, detail: last.message };
  }
  if (!lastGoodAt) return { status: "warn", finding: "never_synced" };
  const isLate = Date.now() - lastGoodAt.getTime() > lateMs;
  return { status: isLate ? "warn" : "ok", finding: isLate ? "sync_late" : "synced", at: lastGoodAt };
}

/** The last full sync: without webhooks only that finds deleted contacts. */
function wholeReadFound({ readSince, heldAt }: Awaited<ReturnType<typeof readWholeRead>>): Found {
  if (heldAt) return { status: "fail", finding: "deletions_held", at: heldAt };
  if (!readSince) return { status: "warn", finding: "never_synced" };
  const isLate = Date.now() - readSince.getTime() > wholeReadLateMs;
  return {
    status: isLate ? "warn" : "ok",
    finding: isLate ? "whole_read_late" : "whole_read",
    at: readSince,
  };
}

/** A key that may not read users is valid; the scopes have their own check. */
function keyFound(error: unknown): Found {
  if (error instanceof CrmScopeMissing) return { status: "ok", finding: "accepted" };
  const found = findingOf(error);
  const isLocation =
    error instanceof CrmWrongLocation || (error instanceof ProviderError && error.kind === "not-found");
  return isLocation
    ? { ...found, finding: "location_unknown", detail: `GHL_LOCATION_ID: ${found.detail}` }
    : found;
}

/** Scopes that the portal needs and the key lacks; null if that cannot be determined. `users`: the result of reading users. */
async function missingScopes(crm: CrmProbe, users: Promise<unknown>): Promise<string[] | null> {
  try {
    const ofUsers = await users.then(
      () => [],
      (error: unknown) => {
        if (error instanceof CrmScopeMissing) return ["users.readonly"];
        throw error;
      },
    );
    return [...(await crm.missingScopes()), ...ofUsers];
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

async function checkScopes(crm: CrmProbe, users: Promise<unknown>): Promise<Found> {
  const missing = await Promise.race([missingScopes(crm, users), sleep(scopesMs, null, { ref: false })]);
  if (missing === null) return { status: "off", finding: "not_reported" };
  if (missing.length === 0) return { status: "ok", finding: "scopes_granted" };
  const values = { count: missing.length };
  return { status: "warn", finding: "scopes_missing", values, detail: missing.join("\n") };
}

function asked(crm: CrmProbe, context: DiagnosticsContext): Check[] {
  const { baseUrl, probe } = crm;
  const limits = once(probe);
  const events = once(() => readEventFacts(context.db, { sources, attemptsMax: eventAttemptsMax }));
  return [
    {
      name: "credentials",
      look: () => limits().then(() => ({ status: "ok", finding: "accepted" }), keyFound),
    },
    {
      name: "connection",
      look: async () => connectionFound(await connectionStatus(context.crmConnection)),
    },
    { name: "scopes", look: () => checkScopes(crm, limits()) },
    {
      name: "rateLimit",
      look: () =>
        limits().then(limitFound, (error) => {
          const found = findingOf(error);
          return found.finding === "busy"
            ? { ...found, finding: "used_up" }
            : { status: "off", finding: "not_reported" };
        }),
    },
    {
      name: "reachability",
      look: async () =>
        checkReachability({
          publicUrl: context.publicUrl,
          whenLocal: isLocalAddress(baseUrl) ? "ok" : "fail",
          lastEventAt: (await events()).lastAt,
        }),
    },
    lastEventCheck(events, { sentTo: context.publicUrl + webhookPath }),
    queueCheck(events),
    { name: "lastSync", look: () => checkRuns(context) },
    { name: "wholeRead", look: async () => wholeReadFound(await readWholeRead(context.db)) },
  ];
}

/** Checks of GoHighLevel: its answers, its events, and changes for it. Without a key only the pending changes are checked. */
export function ghlChecks(context: DiagnosticsContext): Check[] {
  const outbox: Check = { name: "outbox", look: async () => judgeOutbox(await readOutboxFacts(context.db)) };
  if (context.crm) return [...asked(context.crm, context), outbox];
  return [{ name: "credentials", look: async () => ({ status: "off", finding: "not_configured" }) }, outbox];
}
