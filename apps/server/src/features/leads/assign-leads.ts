import { AppError } from "../../http/app-error.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { type Assignment, assignLead } from "./assign-lead.ts";
import { holdSalesRep } from "./data-assignment.ts";
import type { LeadsContext } from "./service.ts";

interface Refusal {
  leadId: number;
  code: "not_your_lead" | "not_found";
}

/**
 * Gives several leads to a consultant, each in a transaction of its own: what is refused for one, or cut short by a failure, takes
 * nothing back. Leads that are theirs already count as assigned. Errors: `invalid` (no active consultant).
 */
export async function assignLeads(
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
  { leadIds, ...assignment }: Omit<Assignment, "leadId"> & { leadIds: number[] },
): Promise<{ assigned: number; refused: Refusal[] }> {
  const { salesRepId } = assignment;
  if (!(await context.database.transaction((tx) => holdSalesRep(tx, salesRepId))))
    throw new AppError("invalid", "The leads can only be given to an active consultant.");
  const refused: Refusal[] = [];
  const each = new Set(leadIds);
  for (const leadId of each) {
    try {
      await assignLead(context, { ...assignment, leadId });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code } = error;
      if (code !== "not_your_lead" && code !== "not_found") throw error;
      refused.push({ leadId, code });
    }
  }
  return { assigned: each.size - refused.length, refused };
}
