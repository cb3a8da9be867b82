import type { Db, Tx } from "../../db/client.ts";
import { leadContactFactsSql, repContactFactsSql } from "../../db/sql/contact-facts.ts";
import type { Channel, LeadFacts, RepFacts } from "./decide-contact.ts";
import { lockPerson } from "./lock-person.ts";

/**
 * Holds the lead and the person until the transaction ends, so that two contacts of one moment are counted one after the other.
 * Always the lead first: no two transactions wait for each other.
 */
export async function lockContact(tx: Tx, input: { leadId: number; userId: number }): Promise<void> {
  await tx.$client.query("select 1 from leads where id = $1 for no key update", [input.leadId]);
  await lockPerson(tx, input.userId);
}

/** What is known of both, and the database's clock; undefined where there is no such lead. */
export async function findContactFacts(
  db: Db,
  input: { leadId: number; userId: number; channel: Channel },
): Promise<(LeadFacts & RepFacts & { now: Date }) | undefined> {
  const { rows } = await db.$client.query<LeadFacts & RepFacts & { now: Date }>(
    `select ${leadContactFactsSql("$2::int")}, ${repContactFactsSql(input.channel, "$2::int")}, clock_timestamp() as now
     from leads l where l.id = $1`,
    [input.leadId, input.userId],
  );
  return rows[0];
}
