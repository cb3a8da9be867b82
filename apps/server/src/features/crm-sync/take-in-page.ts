import { postgresCode, type Tx } from "../../db/client.ts";
import type { CrmContact, CrmReject } from "../../ports/crm.ts";
import type { PlanRules } from "./lead-plan.ts";
import { type Intake, type TakenIn, takeIn } from "./take-in.ts";

/** Values that a column does not take: data exceptions, broken constraints, limits (PostgreSQL, appendix A: classes 22, 23, 54). */
function isDataFault(error: unknown): boolean {
  return ["22", "23", "54"].includes(postgresCode(error)?.slice(0, 2) ?? "");
}

/** Runs `work`; answers null where the database refused its values, and nothing of it stays. */
async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<T | null> {
  await tx.$client.query("savepoint taking_in");
  try {
    const result = await work();
    await tx.$client.query("release savepoint taking_in");
    return result;
  } catch (error) {
    if (!isDataFault(error)) throw error;
    await tx.$client.query("rollback to savepoint taking_in");
    return null;
  }
}

function refusalOf(contact: CrmContact): CrmReject {
  const name = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ");
  return {
    externalId: contact.id,
    label: name || (contact.name ?? contact.email ?? contact.id),
    reason: "could not be stored",
    payload: contact,
  };
}

/**
 * Takes a page in; where the database refuses something of it, one contact after the other, so that what it refuses harms no other: it
 * is kept with its reason like what could not be read.
 */
export async function takeInPage(
  tx: Tx,
  input: Intake,
  rules: PlanRules,
): Promise<TakenIn & { refused: CrmReject[] }> {
  if (input.contacts.length + input.rejects.length === 0)
    return { owners: new Set(), created: new Set(), changed: new Set(), refused: [] };
  const whole = await attempt(tx, () => takeIn(tx, input, rules));
  if (whole) return { ...whole, refused: [] };
  const taken: TakenIn & { refused: CrmReject[] } = {
    owners: new Set(),
    created: new Set(),
    changed: new Set(),
    refused: [],
  };
  for (const contact of input.contacts) {
    const one = await attempt(tx, () => takeIn(tx, { ...input, contacts: [contact], rejects: [] }, rules));
    if (!one) taken.refused.push(refusalOf(contact));
    for (const owner of one?.owners ?? []) taken.owners.add(owner);
    for (const id of one?.created ?? []) taken.created.add(id);
    for (const id of one?.changed ?? []) taken.changed.add(id);
  }
  await takeIn(tx, { ...input, contacts: [], rejects: [...input.rejects, ...taken.refused] }, rules);
  return taken;
}
