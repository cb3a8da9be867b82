import { AppError } from "../../platform/http/app-error.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { assignLead } from "../assignment/service.ts";
import { getUser } from "../identity/users/service.ts";
import type { LeadsContext } from "../leads/service.ts";
import { findLeadsToGive } from "./repository.ts";
import { holdTeam, type MemberAuditAction, recordMemberAudit } from "./service.ts";

interface Transfer extends MemberAuditAction {
  /** Who get them, in turns. */
  to: number[];
  notes: string | null;
  /** At most so many at a time. */
  limit?: number;
}

/** Leads that a request takes up. */
const atOnce = 500;
/** After so long a request answers with what it did, so that the page can show how far it is. */
const sliceMs = 3_000;

/**
 * Gives leads of a person to others, each in a transaction of its own with its timeline, audit, events and changes for the CRM; what
 * somebody else gave away meanwhile stays given. Clients stay. Answers how many went and how many are left, for the next request.
 * Errors: `not_found`, `invalid` (no active consultant, or the person).
 */
export async function transferLeads(
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
  { actor, memberId, to, notes, limit = atOnce }: Transfer,
): Promise<{ transferred: number; left: number }> {
  const { database } = context;
  const began = Date.now();
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
    // Counted from the end of all that are left, so that the turns of the next request go on where these end.
    const salesRepId = takers[(total - index) % takers.length];
    if (salesRepId === undefined || Date.now() - began > sliceMs) break;
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
