import { type ConvertedClient, getClientStats, listClients } from "@portal/contract/routes/clients";
import { replyTo, server } from "./server.ts";

const recentOnly = "limit=5&sort=recent";

/** A client for the lead of `buildLead`, with overrides. */
export function buildClient(overrides: Partial<ConvertedClient> = {}): ConvertedClient {
  return {
    id: 3,
    leadId: 7,
    name: "Inés Duarte",
    email: "ines.duarte@example.com",
    phone: "+17875550107",
    priority: "high",
    convertedDate: "2026-11-10T12:00:00.000Z",
    originalSource: "Feria de energía",
    conversionValue: 1_250.5,
    salesRepName: "Ana Rivera",
    totalCalls: 4,
    lastContactDate: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    attempts: 0,
    lastAttemptAt: null,
    lastAttemptOutcome: null,
    ...overrides,
  };
}

/** Serves the data of Contact Lists, with the clients on one page; returns the queries of the list, without that of Recent Conversions. */
export function serveClients(clients: ConvertedClient[] = []) {
  const asked: string[] = [];
  server.use(
    replyTo(
      listClients,
      ({ request }) => {
        const query = new URL(request.url).searchParams.toString();
        if (query === recentOnly) return clients.slice(0, 5);
        asked.push(query);
        return clients;
      },
      { "x-total-count": String(clients.length) },
    ),
    replyTo(getClientStats, {
      totalClients: 1_204,
      thisMonth: 31,
      monthStart: "2026-11-01",
      totalValue: 250_000,
      averageValue: 207.641,
      conversionRate: 12.34,
    }),
  );
  return asked;
}
