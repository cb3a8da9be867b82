import type { CallLog } from "@portal/contract/entities/call";
import type { Lead } from "@portal/contract/entities/lead";
import { getLiveCall, listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats, listLeads } from "@portal/contract/routes/leads";
import { buildLead, buildStats } from "./lead-builders.ts";
import { replyTo, server } from "./server.ts";

interface LeadsPageReplies {
  leads?: Lead[];
  logs?: CallLog[];
}

/** What the leads page reads when it opens; no live call. Handlers of a test come before these. */
export function serveLeadsPage({ leads = [buildLead()], logs = [] }: LeadsPageReplies = {}): void {
  server.use(
    replyTo(listLeads, leads, { "x-total-count": String(leads.length) }),
    replyTo(getDashboardStats, buildStats()),
    replyTo(listCallLogs, logs),
    replyTo(getLiveCall, { call: null }),
  );
}
