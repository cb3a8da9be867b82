import type { ContactChannel, ContactRefusal } from "@portal/contract/errors";
import { lockPerson } from "../../platform/db/advisory-locks.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import {
  crmFactsOldSql,
  leadContactFactsSql,
  numberContactFactsSql,
  repContactFactsSql,
} from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts, RepFacts } from "./decide-contact.ts";

/**
 * Locks the lead and the user until the transaction ends, so that two concurrent contacts are counted one after the other. Always the lead
 * first, which avoids deadlocks.
 */
export async function lockContact(tx: Tx, input: { leadId: number; userId: number }): Promise<void> {
  await execute(tx, sql`select 1 from leads where id = ${input.leadId} for no key update`);
  await lockPerson(tx, input.userId);
}

/**
 * The facts about both, and the database's clock; undefined if the lead does not exist. With a `number` those for a contact at this number
 * of the lead, else at its main one.
 */
export async function findContactFacts(
  db: Db,
  input: { leadId: number; userId: number; channel: ContactChannel; number?: string | undefined },
): Promise<(LeadFacts & RepFacts & { now: Date }) | undefined> {
  const userId = sql`${input.userId}::int`;
  const leadFacts =
    input.number === undefined
      ? leadContactFactsSql(userId)
      : numberContactFactsSql(userId, sql`${input.number}::text`);
  return queryFirst<LeadFacts & RepFacts & { now: Date }>(
    db,
    sql`select ${leadFacts}, ${repContactFactsSql(input.channel, userId)}, clock_timestamp() as now
     from leads l where l.id = ${input.leadId}`,
  );
}

/** The aliases of a lead as numbers, the newest first; not its main number. */
export async function findFurtherNumbers(db: Db, leadId: number): Promise<string[]> {
  const rows = await query<{ number: string }>(
    db,
    sql`select a.phone_e164 as number from lead_aliases a join leads l on l.id = a.lead_id
     where a.lead_id = ${leadId} and a.phone_e164 is not null and a.phone_e164 is distinct from l.phone_e164
     group by 1 order by max(a.merge_id) desc`,
  );
  return rows.map(({ number }) => number);
}

/** Whether the lead must be refreshed from its source before it is contacted. */
export async function areFactsOld(db: Db, leadId: number): Promise<boolean> {
  const row = await queryFirst<{ old: boolean }>(
    db,
    sql`select ${crmFactsOldSql} as old from leads l where l.id = ${leadId}`,
  );
  return row?.old === true;
}

/** A refused contact: the user, the lead, the channel and the reason. */
export interface RefusedAttempt {
  userId: number;
  leadId: number;
  channel: ContactChannel;
  by: "person" | "dialer";
  reason: ContactRefusal;
}

/** Records a refused attempt, unless the same one was recorded within a minute. */
export async function insertRefusal(tx: Tx, attempt: RefusedAttempt): Promise<void> {
  await lockPerson(tx, attempt.userId);
  await execute(
    tx,
    sql`insert into contact_refusals (user_id, lead_id, channel, by, reason, at)
     select ${attempt.userId}, ${attempt.leadId}, ${attempt.channel}, ${attempt.by}, ${attempt.reason}, clock_timestamp()
     where not exists (select 1 from contact_refusals r where r.user_id = ${attempt.userId} and r.at > clock_timestamp() - interval '1 minute'
       and r.lead_id = ${attempt.leadId} and r.channel = ${attempt.channel} and r.by = ${attempt.by} and r.reason = ${attempt.reason})`,
  );
}

/** The next leads with a number and no time zone, by id. */
export async function findLeadsWithoutZone(
  db: Db,
  input: { afterId: number; limit: number },
): Promise<{ id: number; phoneE164: string }[]> {
  return query<{ id: number; phoneE164: string }>(
    db,
    sql`select id, phone_e164 as "phoneE164" from leads
     where id > ${input.afterId} and time_zone is null and phone_e164 is not null order by id limit ${input.limit}`,
  );
}

/** Writes time zones; skips a lead whose number has changed since. */
export async function writeZones(
  db: Db,
  zones: { id: number; phoneE164: string; timeZone: string }[],
): Promise<void> {
  await execute(
    db,
    sql`update leads l set time_zone = z."timeZone"
     from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb) as z(id int, "phoneE164" text, "timeZone" text)
     where l.id = z.id and l.phone_e164 = z."phoneE164" and l.time_zone is null`,
  );
}
