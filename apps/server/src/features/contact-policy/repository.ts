import type { ContactRefusal } from "@portal/contract/errors";
import { sql } from "drizzle-orm";
import { lockPerson } from "../../platform/db/advisory-locks.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import {
  crmFactsOldSql,
  leadContactFactsSql,
  repContactFactsSql,
} from "../../platform/db/sql/contact-facts.ts";
import type { Channel, LeadFacts, RepFacts } from "./decide-contact.ts";

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

/** Whether the lead must be read again at its source before it is contacted. */
export async function areFactsOld(db: Db, leadId: number): Promise<boolean> {
  const { rows } = await db.execute<{ old: boolean }>(
    sql`select ${crmFactsOldSql} as old from leads l where l.id = ${leadId}`,
  );
  return rows[0]?.old === true;
}

/** A contact that was refused: who wanted to reach whom, how, and why not. */
export interface RefusedAttempt {
  userId: number;
  leadId: number;
  channel: Channel;
  by: "person" | "dialer";
  reason: ContactRefusal;
}

/** Keeps a refused attempt; the same one within a minute stands there already. */
export async function insertRefusal(tx: Tx, attempt: RefusedAttempt): Promise<void> {
  await lockPerson(tx, attempt.userId);
  await tx.$client.query(
    `insert into contact_refusals (user_id, lead_id, channel, by, reason, at)
     select $1, $2, $3, $4, $5, clock_timestamp()
     where not exists (select 1 from contact_refusals r where r.user_id = $1 and r.at > clock_timestamp() - interval '1 minute'
       and r.lead_id = $2 and r.channel = $3 and r.by = $4 and r.reason = $5)`,
    [attempt.userId, attempt.leadId, attempt.channel, attempt.by, attempt.reason],
  );
}

/** The next leads with a number and no zone, by id. */
export async function findLeadsWithoutZone(
  db: Db,
  input: { afterId: number; limit: number },
): Promise<{ id: number; phoneE164: string }[]> {
  const { rows } = await db.$client.query<{ id: number; phoneE164: string }>(
    `select id, phone_e164 as "phoneE164" from leads
     where id > $1 and time_zone is null and phone_e164 is not null order by id limit $2`,
    [input.afterId, input.limit],
  );
  return rows;
}

/** Writes zones; a lead whose number has changed meanwhile is left as it is. */
export async function writeZones(
  db: Db,
  zones: { id: number; phoneE164: string; timeZone: string }[],
): Promise<void> {
  await db.$client.query(
    `update leads l set time_zone = z."timeZone"
     from jsonb_to_recordset($1::jsonb) as z(id int, "phoneE164" text, "timeZone" text)
     where l.id = z.id and l.phone_e164 = z."phoneE164" and l.time_zone is null`,
    [JSON.stringify(zones)],
  );
}
