import type { OrganisationSettings } from "@portal/contract/entities/settings";
import { firstCallMinutes } from "@portal/contract/entities/today";
import { roles } from "@portal/contract/entities/user";
import type { RouteResponse } from "@portal/contract/route";
import type { getIntegrationHealth, getLiveStates } from "@portal/contract/routes/admin";
import { eq, isNull } from "drizzle-orm";
import { availabilityAt, type Reachability } from "../../domain/reachability.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import { execute, sql } from "../../platform/db/query.ts";
import { organisationSettings } from "../../platform/db/schema/organisation.ts";
import { users } from "../../platform/db/schema/users.ts";
import { eventAttemptsMax } from "../../platform/jobs/event-inbox.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { listReachability } from "../availability/repository.ts";
import {
  readCalendarFacts,
  readEventFacts,
  readOutboxFacts,
  readRunFacts,
} from "../diagnostics/repository.ts";
import { mailQueue } from "../notifications/service.ts";
import {
  type LiveRow,
  listLiveStates,
  readCalendarEnds,
  readJobFacts,
  readOutboxEnds,
  readRejections,
  readTelephonyFacts,
  type WorkFacts,
} from "./health-repository.ts";

function presentLive(row: LiveRow, reachability: Reachability): RouteResponse<typeof getLiveStates>[number] {
  const { state, until } = availabilityAt(reachability, new Date());
  return {
    userId: row.userId,
    state: row.state,
    since: row.since?.toISOString() ?? null,
    leadId: row.leadId,
    leadName: row.leadName,
    availability: { state, until: until?.toISOString() ?? null },
  };
}

/** The current state of every user, and whether they can be called. */
export async function readLiveStates(db: Db): Promise<RouteResponse<typeof getLiveStates>> {
  const rows = await listLiveStates(db);
  const found = await listReachability(db, { userIds: rows.map(({ userId }) => userId), since: new Date() });
  const of = new Map(found.map((row) => [row.userId, row]));
  return rows.flatMap((row) => {
    const reachability = of.get(row.userId);
    return reachability ? [presentLive(row, reachability)] : [];
  });
}

export interface HealthContext {
  database: Database;
  jobs: { ready(): boolean };
  /** Which integrations have keys. */
  has: { telephony: boolean; crm: boolean; calendar: boolean; mail: boolean };
}

type Part = RouteResponse<typeof getIntegrationHealth>[number];
type Name = Part["part"];

const slowMs = 60_000;
const stuckMs = 10 * 60_000;
const telephonySources = ["twilio", "twilio-sms", "twilio-inbound", "twilio-recordings"];
const webhookSources = ["lead-webhook", "gohighlevel"];

const off = (part: Name): Part => ({
  part,
  state: "off",
  waiting: 0,
  failed: 0,
  lastOkAt: null,
  lastFailure: null,
});

/** Failing: work is stuck, or there was no success since the last failure of this hour. Warning: slow, or something failed. */
function stateOf(facts: WorkFacts, waitFactor: number): Part["state"] {
  const waitsMs = facts.oldestWaitingAt ? Date.now() - facts.oldestWaitingAt.getTime() : 0;
  const failsNow =
    facts.failed > 0 && facts.lastFailedAt !== null && (facts.lastOkAt ?? 0) < facts.lastFailedAt;
  if (failsNow || waitsMs > stuckMs * waitFactor) return "failing";
  return facts.failed > 0 || waitsMs > slowMs * waitFactor ? "warning" : "ok";
}

function present(part: Name, facts: WorkFacts, waitFactor = 1): Part {
  return {
    part,
    state: stateOf(facts, waitFactor),
    waiting: facts.waiting,
    failed: facts.failed,
    lastOkAt: facts.lastOkAt?.toISOString() ?? null,
    lastFailure: facts.lastFailure,
  };
}

const latest = (...instants: (Date | null)[]) =>
  instants.reduce((last, at) => ((at ?? 0) > (last ?? 0) ? at : last), null);

async function checkDatabase({ db, pool }: Database): Promise<Part> {
  const waiting = pool.waitingCount;
  await execute(db, sql`select 1`);
  // There is nearly always a short wait; more waiting requests than connections are a backlog.
  const state = waiting > (pool.options.max ?? 0) ? "warning" : "ok";
  return { ...off("database"), state, waiting, lastOkAt: new Date().toISOString() };
}

async function checkJobs(db: Db, jobs: HealthContext["jobs"]): Promise<Part> {
  const part = present("jobs", await readJobFacts(db));
  return jobs.ready() ? part : { ...part, state: "failing" };
}

async function checkTelephony(db: Db): Promise<Part> {
  const [events, facts] = await Promise.all([
    readEventFacts(db, { sources: telephonySources, attemptsMax: eventAttemptsMax }),
    readTelephonyFacts(db),
  ]);
  const { waiting, oldestWaitingAt } = events;
  return present("telephony", {
    ...facts,
    waiting,
    oldestWaitingAt,
    lastOkAt: latest(facts.lastOkAt, events.lastAt),
  });
}

async function checkCrm(db: Db): Promise<Part> {
  const [runs, outbox, ends] = await Promise.all([readRunFacts(db), readOutboxFacts(db), readOutboxEnds(db)]);
  const { last, lastGoodAt } = runs;
  const runFailed = last?.state === "failed";
  return present(
    "crm",
    {
      waiting: outbox.pending,
      oldestWaitingAt: outbox.oldestPendingAt,
      failed: outbox.failed + (runFailed ? 1 : 0),
      lastFailedAt: runFailed ? last.finishedAt : null,
      lastFailure: runFailed ? last.message : ends.lastError,
      lastOkAt: latest(lastGoodAt, ends.lastSentAt),
    },
    // Changes wait for the vendor's rate limits and for short outages.
    6,
  );
}

async function checkCalendars(db: Db): Promise<Part> {
  const [{ ended, outbox }, ends] = await Promise.all([readCalendarFacts(db), readCalendarEnds(db)]);
  return present(
    "calendar",
    {
      waiting: outbox.pending,
      oldestWaitingAt: outbox.oldestPendingAt,
      failed: outbox.failed + ended,
      lastFailedAt: null,
      lastFailure: ends.lastError,
      lastOkAt: ends.lastSyncedAt,
    },
    6,
  );
}

async function checkWebhooks(db: Db): Promise<Part> {
  const [events, rejections] = await Promise.all([
    readEventFacts(db, { sources: webhookSources, attemptsMax: eventAttemptsMax }),
    readRejections(db),
  ]);
  const { waiting, oldestWaitingAt, lastAt: lastOkAt } = events;
  return present("webhooks", { ...rejections, waiting, oldestWaitingAt, lastOkAt });
}

/**
 * The health of the components from stored data only: no provider is asked. Failures are those of the last hour; changes that the CRM or a
 * calendar refused count until they are sent.
 */
export async function readHealth({ database, jobs, has }: HealthContext): Promise<Part[]> {
  const { db } = database;
  // One after the other, so that this uses few of the connections that other requests need.
  return [
    await checkDatabase(database),
    await checkJobs(db, jobs),
    has.telephony ? await checkTelephony(db) : off("telephony"),
    has.crm ? await checkCrm(db) : off("crm"),
    has.calendar ? await checkCalendars(db) : off("calendar"),
    await checkWebhooks(db),
    has.mail ? present("mail", await readJobFacts(db, mailQueue)) : off("mail"),
  ];
}

type Row = typeof organisationSettings.$inferSelect;

const presentSettings = ({
  machineDetection,
  voicemailDrop,
  secondFactorRoles,
  firstCallMinutes,
}: Row): OrganisationSettings => ({
  machineDetection,
  voicemailDrop,
  secondFactorRoles,
  firstCallMinutes,
});

/** The organization's settings; the defaults of the table if nobody has set any. */
export async function readOrganisationSettings(db: Db): Promise<OrganisationSettings> {
  const [row] = await db.select().from(organisationSettings);
  return row
    ? presentSettings(row)
    : {
        machineDetection: true,
        voicemailDrop: false,
        secondFactorRoles: [],
        firstCallMinutes: firstCallMinutes.usual,
      };
}

/** Saves the given settings and records the changed ones in the audit log, with their former values. */
export async function changeOrganisationSettings(
  database: Database,
  { userId, sent }: { userId: number; sent: Partial<OrganisationSettings> },
): Promise<OrganisationSettings> {
  return database.transaction(async (tx) => {
    await tx.insert(organisationSettings).values({}).onConflictDoNothing();
    const [before] = await tx.select().from(organisationSettings).for("update");
    if (!before) throw new Error("the organization's settings were not saved");
    const after = { ...presentSettings(before), ...sent };
    // The same roles in another order are the same.
    after.secondFactorRoles = roles.filter((role) => after.secondFactorRoles.includes(role));
    const changed = (Object.keys(after) as (keyof OrganisationSettings)[]).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
    if (changed.length === 0) return after;
    await tx.update(organisationSettings).set(after).where(eq(organisationSettings.id, before.id));
    const changes = Object.fromEntries(
      changed.map((name) => [name, { before: before[name], after: after[name] }]),
    );
    await recordAudit(tx, { userId, action: "organisation-changed", data: { changes } });
    // What a session may do follows at once, in every process and on every page.
    if (changed.includes("secondFactorRoles"))
      for (const { id } of await tx.select({ id: users.id }).from(users).where(isNull(users.disabledAt)))
        await publishEvent(tx, { topic: "session", id, audience: [id] });
    return after;
  });
}
