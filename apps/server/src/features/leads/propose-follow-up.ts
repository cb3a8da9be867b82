import type { Tx } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { hasLeadEvent, recordLeadEvent } from "../timeline/service.ts";
import { findLeadForUpdate } from "./data.ts";
import { isWriter } from "./policy.ts";
import { changeLead } from "./update-lead.ts";

/**
 * Sets a lead's follow-up where the person may; where the lead has become somebody else's, its owner's plan stays, and what was
 * proposed stands on the timeline for them. Answers which. Errors: `not_found`, `invalid`.
 */
export async function setOrProposeFollowUp(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  input: { actor: Session; leadId: number; nextFollowUpDate: string | null },
): Promise<"set" | "proposed"> {
  const { actor, leadId, nextFollowUpDate } = input;
  const lead = await findLeadForUpdate(tx, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (isWriter(actor, lead)) {
    await changeLead(tx, jobs, { actor, leadId, changes: { nextFollowUpDate } });
    return "set";
  }
  const before = lead.nextFollowUpDate?.toISOString() ?? null;
  const after = nextFollowUpDate === null ? null : new Date(nextFollowUpDate).toISOString();
  const data = { field: "nextFollowUpDate", before, after };
  const event = { leadId, userId: actor.userId, kind: "follow-up-proposed", data } as const;
  if (!(await hasLeadEvent(tx, event))) await recordLeadEvent(tx, event);
  await publishEvent(tx, { topic: "lead", id: leadId, audience: audienceOf(lead.assignedTo, actor.userId) });
  return "proposed";
}
