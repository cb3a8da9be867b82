import {
  getIntegrationHealth,
  getLiveStates,
  getSystemStats,
  getUserStats,
  type SystemStats,
  type UserStats,
} from "@portal/contract/routes/admin";
import { replyTo, server } from "./server.ts";

export function buildUserStats(overrides: Partial<UserStats> = {}): UserStats {
  return {
    id: 2,
    name: "Ana Rivera",
    email: "ana@portal.test",
    isOnline: false,
    lastActivity: null,
    totalLeads: 40,
    contactedToday: 3,
    callsMade: 1_204,
    smsCount: 12,
    leadsConverted: 5,
    followUpsScheduled: 7,
    productivityScore: null,
    ...overrides,
  };
}

const systemStats: SystemStats = {
  totalUsers: 4,
  activeUsers: 2,
  leadsProcessedToday: 31,
  totalLeads: 1_080,
  totalCalls: 5_432,
  conversionRate: 12.345,
  avgProductivity: null,
};

/** Serves the data of the admin panel; the live states are computed for each request. */
export function servePanel({
  users = [],
  live = () => [],
}: {
  users?: UserStats[];
  live?: () => {
    userId: number;
    state: "free" | "ringing" | "on_call";
    since: string | null;
    leadName: string | null;
    availability?: { state: "away" | "outside_hours"; until: string | null };
  }[];
} = {}) {
  server.use(
    replyTo(getSystemStats, systemStats),
    replyTo(getUserStats, () => users),
    replyTo(getLiveStates, () =>
      live().map((of) => ({
        leadId: of.leadName ? 7 : null,
        availability: { state: "available", until: null },
        ...of,
      })),
    ),
    replyTo(getIntegrationHealth, []),
  );
}
