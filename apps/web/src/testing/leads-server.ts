import type { CallLog } from "@portal/contract/entities/call";
import type { Lead } from "@portal/contract/entities/lead";
import { getAllLeadsStats, listAllLeads } from "@portal/contract/routes/all-leads";
import { getLiveCall, listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { buildLead, buildStats } from "./lead-builders.ts";
import { errorReply, replyTo, server } from "./server.ts";

const recentOnly = "limit=5&sort=newest";

/** Serves the data of All Leads, with the leads on one page; returns the queries of the list, without that of Recent Activity. */
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

interface LeadsPageReplies {
  leads?: Lead[];
  logs?: CallLog[];
}

/** Serves the data that the leads page loads when it opens, without a live call. A test's own handlers take precedence. */
export function serveLeadsPage({ leads = [buildLead()], logs = [] }: LeadsPageReplies = {}): void {
  server.use(
    replyTo(
      getLead,
      ({ params }) =>
        leads.find(({ id }) => String(id) === params.id) ?? errorReply("not_found", "Lead not found"),
    ),
    replyTo(listLeads, leads, { "x-total-count": String(leads.length) }),
    replyTo(getDashboardStats, buildStats()),
    replyTo(listCallLogs, logs),
    replyTo(getLiveCall, { call: null }),
  );
}
