import { AppError } from "../../platform/http/app-error.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { assignLead } from "../assignment/service.ts";
import { getUser } from "../identity/users/service.ts";
import type { LeadsContext } from "../leads/service.ts";
import { findLeadsToGive } from "./repository.ts";
import { holdTeam, type MemberAuditAction, recordMemberAudit } from "./service.ts";

interface Transfer extends MemberAuditAction {
  /** The consultants who get the leads, in turns. */
  to: number[];
  notes: string | null;
  /** The maximum number of leads in one request. */
  limit?: number;
}

/** The default maximum of leads in one request. */
const atOnce = 500;
/** After this time a request returns its progress, so that the page can show it. */
const sliceMs = 3_000;

/**
 * Assigns leads of a user to others, each in its own transaction with timeline, audit log, events and CRM changes; leads that somebody else
 * has reassigned meanwhile are skipped. Clients stay. Returns the numbers of assigned and of remaining leads, for the next request. Errors:
 * `not_found`, `invalid` (no active consultant, or the user themselves).
 */
export async function transferLeads(
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
  { actor, memberId, to, notes, limit = atOnce }: Transfer,
): Promise<{ transferred: number; left: number }> {
  const { database } = context;
  const began = performance.now();
  const takers = [...new Set(to)];
  const member = await getUser(database.db, memberId);
  if (!member) throw new AppError("not_found", "This account does not exist.");
  await database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    for (const id of takers) {
      if (id === memberId || !(await holdSalesRep(tx, id)))
        throw new AppError("invalid", "The leads can only be given to other, active consultants.");
    }
  });
  const { ids, total } = await findLeadsToGive(database.db, { memberId, limit });
  const counts = new Map<number, number>();
  for (const [index, leadId] of ids.entries()) {
    // Counted from the end of the remaining leads, so that the next request continues the turns.
    const salesRepId = takers[(total - index) % takers.length];
    if (salesRepId === undefined || performance.now() - began > sliceMs) break;
    const given = await assignLead(context, {
      actor,
      leadId,
      salesRepId,
      notes,
      takeAlong: true,
      from: memberId,
    });
    if (given) counts.set(salesRepId, (counts.get(salesRepId) ?? 0) + 1);
  }
  const transferred = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (transferred > 0) {
    const data = { name: member.name, transferred, to: Object.fromEntries(counts), notes };
    await database.transaction((tx) =>
      recordMemberAudit(tx, { actor, memberId }, "member-leads-transferred", data),
    );
  }
  const { total: left } = await findLeadsToGive(database.db, { memberId, limit: 1 });
  return { transferred, left };
}
