import type { Tx } from "../../db/client.ts";
import { lockLeadIntake } from "../../db/sql/intake-lock.ts";
import type { CrmContact, CrmFound, CrmReject } from "../../ports/crm.ts";
import { findNews } from "./data-unchanged.ts";
import { type PlanRules, planSalt } from "./lead-plan.ts";
import type { Intake } from "./take-in.ts";

/** A contact that has an id. */
export type Named = CrmFound & { id: string };

const isReject = (read: CrmContact | CrmReject): read is CrmReject => "reason" in read;

/**
 * Reads of a page what may say something new; what is known as it is needs neither reading nor planning. Answers also all contacts that
 * have an id, each once: of one that is there twice the later.
 */
export async function readNews(
  tx: Tx,
  found: CrmFound[],
  rules: PlanRules,
): Promise<{ input: Intake; named: Named[] }> {
  const named = [
    ...new Map(found.filter((one): one is Named => one.id !== null).map((one) => [one.id, one])).values(),
  ];
  const digests = new Map(named.map((one) => [one.id, one.digest(planSalt(one.assignedTo, rules))]));
  await lockLeadIntake(tx);
  const news = await findNews(tx, digests);
  const read = [...found.filter(({ id }) => id === null), ...named.filter(({ id }) => news.has(id))].map(
    (one) => one.read(),
  );
  return {
    input: {
      contacts: read.filter((one): one is CrmContact => !isReject(one)),
      rejects: read.filter(isReject),
      digests,
      unchanged: named.map(({ id }) => id).filter((id) => !news.has(id)),
    },
    named,
  };
}
