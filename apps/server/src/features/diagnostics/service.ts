import type { DiagnosticReport, Integration } from "@portal/contract/entities/diagnostics";
import { webhookSourceNames } from "@portal/contract/entities/lead-webhook";
import { type Database, supportsNamedStatements } from "../../platform/db/client.ts";
import { execute, queryOnly, sql } from "../../platform/db/query.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import { countUnreadable, readKeyState } from "../encryption-keys/service.ts";
import {
  type Check,
  checkReachability,
  type DiagnosticsContext,
  type Found,
  findingOf,
  judgeOutbox,
  lastEventCheck,
  once,
  queueCheck,
  runChecks,
} from "./check.ts";
import { ghlChecks } from "./check-ghl.ts";
import { twilioChecks } from "./check-twilio.ts";
import { readCalendarFacts, readEventFacts } from "./repository.ts";

const sources = ["lead-webhook"];

async function checkKeys({ accessOf }: DiagnosticsContext): Promise<Found> {
  const access = await Promise.all(webhookSourceNames.map(accessOf));
  const values = { count: access.filter((of) => of === "keyed").length, of: access.length };
  if (access.includes("open")) return { status: "warn", finding: "open_to_all", values };
  if (values.count === 0) return { status: "off", finding: "no_keys", values };
  return { status: "ok", finding: "keys_set", values };
}

/** Whether the encrypted values of the database can be read, and whether the previous key is still needed. */
async function checkSecrets(context: DiagnosticsContext): Promise<Found> {
  const state = await readKeyState(context);
  const lost = countUnreadable(state);
  if (lost > 0) return { status: "fail", finding: "secrets_unreadable", values: { count: lost } };
  if (state.previous > 0)
    return { status: "warn", finding: "secrets_rotating", values: { count: state.previous } };
  const finding = state.isRotated ? "secrets_rotated" : "secrets_readable";
  return { status: "ok", finding, values: { count: state.current } };
}

/** Checks of the webhook sources: keys, reachability, and deliveries. */
function webhookChecks(context: DiagnosticsContext): Check[] {
  const events = once(() => readEventFacts(context.db, { sources, attemptsMax: eventAttemptsMax }));
  return [
    { name: "credentials", look: () => checkKeys(context) },
    {
      name: "reachability",
      look: async () =>
        checkReachability({
          publicUrl: context.publicUrl,
          whenLocal: "warn",
          lastEventAt: (await events()).lastAt,
        }),
    },
    {
      name: "visitors",
      look: async () =>
        context.isProxyUnknown
          ? { status: "warn", finding: "proxy_unknown" }
          : { status: "ok", finding: "told_apart" },
    },
    { name: "storedSecrets", look: () => checkSecrets(context) },
    lastEventCheck(events),
    queueCheck(events),
  ];
}

/** Changes are read every 5 minutes. */
const lateMs = 20 * 60_000;

type Facts = Awaited<ReturnType<typeof readCalendarFacts>>;

function accountsFound({ connected, ended, apiOff, domainClosed }: Facts): Found {
  if (apiOff > 0) return { status: "fail", finding: "api_off", values: { count: apiOff } };
  if (domainClosed > 0) return { status: "fail", finding: "domain_policy", values: { count: domainClosed } };
  const values = { count: connected, ended };
  if (ended > 0) return { status: "warn", finding: "accounts_ended", values };
  return { status: "ok", finding: connected > 0 ? "accounts_connected" : "no_accounts", values };
}

function syncFound({ connected, oldestSyncAt }: Facts): Found {
  if (connected === 0 || !oldestSyncAt) return { status: "off", finding: "never_synced" };
  const isLate = Date.now() - oldestSyncAt.getTime() > lateMs;
  return { status: isLate ? "warn" : "ok", finding: isLate ? "sync_late" : "synced", at: oldestSyncAt };
}

/** Checks of Google Calendar. Each consultant connects their own calendar, so the stored state of all of them is checked. */
function googleChecks({ db, hasCalendar }: DiagnosticsContext): Check[] {
  if (!hasCalendar)
    return [{ name: "credentials", look: async () => ({ status: "off", finding: "not_configured" }) }];
  const facts = once(() => readCalendarFacts(db));
  return [
    { name: "credentials", look: async () => accountsFound(await facts()) },
    { name: "lastSync", look: async () => syncFound(await facts()) },
    { name: "outbox", look: async () => judgeOutbox((await facts()).outbox) },
  ];
}

/** Checks whether the mail server accepts the portal's login, if one is configured. */
function emailChecks({ mailer }: DiagnosticsContext): Check[] {
  return [
    {
      name: "credentials",
      look: async () =>
        mailer
          ? mailer.probe().then(() => ({ status: "ok" as const, finding: "accepted" as const }), findingOf)
          : { status: "off", finding: "not_used" },
    },
  ];
}

const checksOf: Record<Integration, (context: DiagnosticsContext) => Check[]> = {
  ghl: ghlChecks,
  twilio: twilioChecks,
  webhooks: webhookChecks,
  google: googleChecks,
  email: emailChecks,
};

/** An older report is not returned again. */
const oldestMs = 60_000;

/**
 * Runs the checks of integrations. Concurrent requests for an integration share one report, and a user above the rate limit gets the last
 * report with its time.
 */
export function createDiagnostics(context: DiagnosticsContext) {
  const running = new Map<Integration, Promise<DiagnosticReport>>();
  const last = new Map<Integration, DiagnosticReport>();

  function begin(integration: Integration): Promise<DiagnosticReport> {
    const onError = (err: unknown) => context.log.warn({ err, integration }, "diagnostic check failed");
    const report = runChecks(integration, checksOf[integration](context), onError);
    running.set(integration, report);
    const ended = () => running.get(integration) === report && running.delete(integration);
    report.then((made) => ended() && last.set(integration, made), ended);
    return report;
  }

  return {
    async look(integration: Integration, { isHasty }: { isHasty: boolean }): Promise<DiagnosticReport> {
      const made = last.get(integration);
      if (isHasty && made && Date.parse(made.checkedAt) > Date.now() - oldestMs) return made;
      return running.get(integration) ?? begin(integration);
    },
    /** Drops the reports of an integration after a change. */
    forget(integration: Integration): void {
      running.delete(integration);
      last.delete(integration);
    },
  };
}

export interface ReadyContext {
  database: Database;
  events: EventListener;
  jobs: Pick<Jobs, "ready">;
}

const pooler = "Behind a connection pooler the role must bring them (docs/operations.md).";
const direct =
  "Behind a connection pooler DATABASE_DIRECT_URL must name the same database past it (docs/operations.md).";
/**
 * Checks the server's dependencies: the database, its notifications, prepared statements, session settings, and jobs. Errors:
 * `unavailable`, whose message names the failing one.
 */
async function look({ database, events, jobs }: ReadyContext): Promise<void> {
  const { zone } = await queryOnly<{ zone: string }>(
    database.db,
    sql`select current_setting('TimeZone') as zone`,
  );
  if (zone !== "UTC")
    throw new AppError(
      "unavailable",
      `Session settings do not reach the database: its time zone is not UTC. ${pooler}`,
    );
  if (database.statements.named && !(await supportsNamedStatements(database)))
    throw new AppError(
      "unavailable",
      "Prepared statements do not work any more: the connection pooler has changed. Start the portal anew.",
    );
  const notify = (channel: string, payload: string) =>
    execute(database.db, sql`select pg_notify(${channel}, ${payload})`);
  if (!(await events.receives(notify))) throw new AppError("unavailable", `LISTEN does not work. ${direct}`);
  if (!jobs.ready()) throw new AppError("unavailable", "Background jobs are not running.");
}

/** The same check, shared by concurrent requests, because its address is public. */
export function createReadyCheck(context: ReadyContext): () => Promise<void> {
  let looking: Promise<void> | undefined;
  return () => {
    looking ??= look(context)
      .catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        throw Object.assign(new AppError("unavailable", "The database does not answer."), { cause: error });
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
}
