import type { RouteResponse } from "@portal/contract/route";
import type { getLiveStates, listAudit, listRefusals } from "@portal/contract/routes/admin";
import { availabilityAt, type Reachability } from "../../domain/reachability.ts";
import type { AuditRow, RefusalRow } from "./audit-repository.ts";
import type { LiveRow } from "./health-repository.ts";

export function presentLive(
  row: LiveRow,
  reachability: Reachability,
): RouteResponse<typeof getLiveStates>[number] {
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

export function presentAudit(row: AuditRow): RouteResponse<typeof listAudit>[number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    userId: row.userId,
    userName: row.userName,
    action: row.action,
    subject: row.subject,
    data: row.data,
  };
}

export function presentRefusal(row: RefusalRow): RouteResponse<typeof listRefusals>[number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    userId: row.userId,
    userName: row.userName,
    leadId: row.leadId,
    leadName: row.leadName,
    channel: row.channel,
    by: row.by,
    reason: row.reason,
  };
}
