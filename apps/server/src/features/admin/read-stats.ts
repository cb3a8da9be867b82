import type { SystemStats, UserStats } from "@portal/contract/routes/admin";
import type { Database } from "../../platform/db/client.ts";
import { shareReading } from "../../platform/db/share-reading.ts";
import { findDay, listUserStats, readSystem, type UserStatsRow } from "./stats-repository.ts";

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
