import type { Lead } from "@portal/contract/entities/lead";
import { getAllLeadsStats, listAllLeads } from "@portal/contract/routes/all-leads";
import { replyTo, server } from "./server.ts";

const recentOnly = "limit=5&sort=newest";

/** What All Leads reads, with the leads in one page; the queries of the list, without that of Recent Activity, are noted in the answer. */
export function serveAllLeads(leads: Lead[] = [], total = String(leads.length)) {
  const asked: string[] = [];
  server.use(
    replyTo(
      listAllLeads,
      ({ request }) => {
        const query = new URL(request.url).searchParams.toString();
        if (query === recentOnly) return leads.slice(0, 5);
        asked.push(query);
        return leads;
      },
      { "x-total-count": total },
    ),
    replyTo(getAllLeadsStats, {
      total: 1_204,
      assigned: 904,
      unassigned: 300,
      converted: leads.filter(({ status }) => status === "converted").length,
    }),
  );
  return asked;
}
