import type { SystemStats, UserStats } from "@portal/contract/routes/admin";
import type { Database } from "../../platform/db/client.ts";
import { findDay, listUserStats, readSystem, type UserStatsRow } from "./stats-repository.ts";

interface Reading<T> {
  value: T;
  readAt: number;
  tookMs: number;
}

/** An expensive result is reused for this many times the duration of its query. */
const restTimes = 10;
/** The maximum age in ms of a result that is returned while the next query runs. */
const oldestMs = 60_000;

/**
 * Runs `read` once for all concurrent callers. If `isCostly`, the result is reused for ten times the duration of the query, and returned
 * while the next query runs: the administrators' panels then use at most a tenth of one connection, regardless of the size of the
 * organization, and no caller waits each time.
 */
export function shareReading<T>(read: () => Promise<T>, isCostly: (value: T) => boolean): () => Promise<T> {
  let last: Reading<T> | null = null;
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    const startedAt = performance.now();
    const reading = read().then((value) => {
      const now = performance.now();
      last = isCostly(value) ? { value, readAt: startedAt, tookMs: now - startedAt } : null;
      return value;
    });
    running = reading;
    const end = () => {
      if (running === reading) running = null;
    };
    reading.then(end, end);
    return reading;
  }

  return async () => {
    if (last) {
      const ageMs = performance.now() - last.readAt;
      const { value, tookMs } = last;
      if (ageMs < tookMs * (restTimes + 1)) return value;
      const fresh = running ?? start();
      if (ageMs > oldestMs + tookMs) return fresh;
      // The failure goes to the next caller.
      fresh.catch(() => undefined);
      return value;
    }
    // A caller during a query gets the result of the next one: the running one may not see the caller's own last change.
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return last?.value ?? running ?? start();
      });
    return next;
  };
}

/** The number of leads from which the statistics are expensive enough to be shared for a while. */
const manyLeads = 100_000;

/** 100 × due work with an outcome today ÷ due work; null if nothing is due. */
const productivityOf = ({ done, due }: UserStatsRow) => (due === 0 ? null : (100 * done) / due);

function presentUserStats(row: UserStatsRow): UserStats {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isOnline: row.isOnline,
    lastActivity: row.lastActivity?.toISOString() ?? null,
    totalLeads: row.totalLeads,
    contactedToday: row.contactedToday,
    callsMade: row.callsMade,
    smsCount: row.smsCount,
    leadsConverted: row.leadsConverted,
    followUpsScheduled: row.followUpsScheduled,
    productivityScore: productivityOf(row),
  };
}

export interface AdminStats {
  users(): Promise<UserStats[]>;
  system(): Promise<SystemStats>;
}

/** The statistics of the panel, read once for all administrators of this process. */
export function createAdminStats(
  { db, transaction }: Pick<Database, "db" | "transaction">,
  timeZone: string,
): AdminStats {
  const users = shareReading(
    async () => {
      const rows = await transaction(async (tx) => listUserStats(tx, await findDay(tx, timeZone)));
      return rows.map(presentUserStats);
    },
    (rows) => rows.reduce((sum, { totalLeads }) => sum + totalLeads, 0) > manyLeads,
  );
  return {
    users,
    async system() {
      const day = await findDay(db, timeZone);
      const [system, people] = await Promise.all([readSystem(db, day), users()]);
      const scores = people
        .map(({ productivityScore }) => productivityScore)
        .filter((score) => score !== null);
      const { totalLeads, converted } = system;
      return {
        totalUsers: people.length,
        activeUsers: people.filter(({ isOnline }) => isOnline).length,
        leadsProcessedToday: system.leadsProcessedToday,
        totalLeads,
        totalCalls: system.totalCalls,
        conversionRate: totalLeads === 0 ? null : (100 * converted) / totalLeads,
        avgProductivity:
          scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
      };
    },
  };
}
