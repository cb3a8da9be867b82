import type { Tx } from "../../db/client.ts";
import { lockLeadIntake } from "../../db/sql/intake-lock.ts";
import type { CrmContact, CrmFound, CrmReject } from "../../ports/crm.ts";
import { findNews } from "./data-unchanged.ts";
import { type PlanRules, planSalt } from "./lead-plan.ts";
import type { Intake } from "./take-in.ts";

/** A contact that has an id. */
export type Named = CrmFound & { id: string };

const isReject = (read: CrmContact | CrmReject): read is CrmReject => "reason" in read;

/** A page with all that can be done before anybody has to wait for it. */
export interface PreparedPage {
  found: CrmFound[];
  /** The contacts that have an id, each once: of one that is there twice the later. */
  named: Named[];
  digests: Map<string, string>;
  /** What was read already. */
  read: Map<CrmFound, CrmContact | CrmReject>;
}

/** Digests of a page's contacts; where most are expected to be news they are read as well. */
export function preparePage(found: CrmFound[], rules: PlanRules, { expectNews = false } = {}): PreparedPage {
  const named = [
    ...new Map(found.filter((one): one is Named => one.id !== null).map((one) => [one.id, one])).values(),
  ];
  const digests = new Map(named.map((one) => [one.id, one.digest(planSalt(one.assignedTo, rules))]));
  return { found, named, digests, read: new Map(expectNews ? named.map((one) => [one, one.read()]) : []) };
}

/** Reads of a page what may say something new; what is known as it is needs neither reading nor planning. */
export async function readNews(tx: Tx, { found, named, digests, read }: PreparedPage): Promise<Intake> {
  await lockLeadIntake(tx);
  const news = await findNews(tx, digests);
  const all = [...found.filter(({ id }) => id === null), ...named.filter(({ id }) => news.has(id))].map(
    (one) => read.get(one) ?? one.read(),
  );
  return {
    contacts: all.filter((one): one is CrmContact => !isReject(one)),
    rejects: all.filter(isReject),
    digests,
  };
}
