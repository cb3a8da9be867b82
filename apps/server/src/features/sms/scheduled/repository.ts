import type { HoldReason } from "@portal/contract/entities/scheduled-sms";
import type { SQL } from "drizzle-orm";
import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { allOf, columnsOf, execute, query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
import { scheduledSms } from "../../../platform/db/schema/messages.ts";
import type { OwnerScope } from "../../leads/lead-repository.ts";

export type ScheduledRow = typeof scheduledSms.$inferSelect;

/** A scheduled SMS for lists. */
export interface ListedScheduled extends ScheduledRow {
  leadName: string;
  writerName: string;
}

const listed = sql`select ${columnsOf(scheduledSms)}, l.name as "leadName", u.name as "writerName"
  from scheduled_sms join leads l on l.id = scheduled_sms.lead_id join users u on u.id = scheduled_sms.user_id`;
const isOpen = sql`scheduled_sms.state in ('waiting', 'sending', 'held')`;
const afterMs = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 ms'`;

/** Waiting and held SMS, of one lead or of all in the scope, in the order of their sending. */
export function listScheduled(
  db: Db,
  { scope, leadId, limit }: { scope: OwnerScope; leadId?: number; limit: number },
): Promise<ListedScheduled[]> {
  const where = allOf(
    isOpen,
    scope !== "everyone" && sql`l.assigned_to = ${scope.salesRepId}`,
    leadId !== undefined && sql`scheduled_sms.lead_id = ${leadId}`,
  );
  return query<ListedScheduled>(
    db,
    sql`${listed} where ${where} order by scheduled_sms.send_at, scheduled_sms.id limit ${limit}`,
  );
}

export async function findScheduled(db: Db, id: number): Promise<ListedScheduled | undefined> {
  return queryFirst<ListedScheduled>(db, sql`${listed} where scheduled_sms.id = ${id}`);
}

export async function findScheduledByRef(db: Db, clientRef: string): Promise<ScheduledRow | undefined> {
  const [row] = await db.select().from(scheduledSms).where(eq(scheduledSms.clientRef, clientRef));
  return row;
}

/** Locks a scheduled SMS, so that it is not sent meanwhile. */
export async function holdScheduled(tx: Tx, id: number): Promise<ScheduledRow | undefined> {
  const [row] = await tx.select().from(scheduledSms).where(eq(scheduledSms.id, id)).for("update");
  return row;
}

export async function countWaiting(tx: Tx, leadId: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    tx,
    sql`select count(*)::int as count from scheduled_sms where lead_id = ${leadId} and ${isOpen}`,
  );
  return count;
}

/** Inserts a scheduled SMS. Errors: the unique violation `scheduled_sms_client_ref_unique`. */
export async function insertScheduled(
  tx: Tx,
  input: Pick<
    ScheduledRow,
    "leadId" | "userId" | "ownerId" | "body" | "templateVersionId" | "sendAt" | "timeZone" | "clientRef"
  >,
): Promise<number> {
  const [row] = await tx
    .insert(scheduledSms)
    .values({
      ...input,
      // As for an SMS sent at once, only a template version that the writer may use is stored.
      templateVersionId: sql`(select v.id from sms_template_versions v join sms_templates t on t.id = v.template_id
        where v.id = ${input.templateVersionId} and (t.is_shared or t.user_id = ${input.userId}))`,
      since: sql`clock_timestamp()`,
      nextAt: input.sendAt,
    })
    .returning({ id: scheduledSms.id });
  if (!row) throw new Error("no scheduled text was written");
  return row.id;
}

/** Claims the SMS that has been due for longest. If the worker dies it is due again after a minute. */
export function claimScheduled(db: Db): Promise<ScheduledRow | undefined> {
  return queryFirst<ScheduledRow>(
    db,
    sql`update scheduled_sms set state = 'sending', next_at = ${afterMs(60_000)} where id = (select id from scheduled_sms
       where next_at <= clock_timestamp() order by next_at limit 1 for update skip locked)
     returning ${columnsOf(scheduledSms)}`,
  );
}

/** The result of an SMS that a worker had claimed. */
export type Settled =
  | { state: "sent" }
  | { state: "held"; reason: HoldReason }
  | { state: "waiting"; waitMs: number; isAnew: boolean };

export async function settleScheduled(db: Db, id: number, settled: Settled): Promise<void> {
  const waits = settled.state === "waiting";
  const reason = settled.state === "held" ? settled.reason : null;
  const nextAt: SQL = waits ? afterMs(settled.waitMs) : sql`null`;
  // One that was certainly not sent is retried under a new reference.
  const textRef = waits && settled.isAnew ? sql`gen_random_uuid()` : sql`text_ref`;
  await execute(
    db,
    sql`update scheduled_sms set state = ${settled.state}, reason = ${reason}, next_at = ${nextAt}, text_ref = ${textRef}
     where id = ${id} and state = 'sending'`,
  );
}

export async function cancelScheduled(tx: Tx, id: number): Promise<void> {
  await execute(tx, sql`update scheduled_sms set state = 'canceled', next_at = null where id = ${id}`);
}

/** Makes a held SMS due now, sent for the lead's current owner; what happened before no longer holds it back. */
export async function releaseScheduled(
  tx: Tx,
  { id, ownerId, userId }: { id: number; ownerId: number | null; userId: number },
): Promise<void> {
  await execute(
    tx,
    sql`update scheduled_sms set state = 'waiting', reason = null, owner_id = ${ownerId}, user_id = ${userId},
       send_at = clock_timestamp(), since = clock_timestamp(), next_at = clock_timestamp(), text_ref = gen_random_uuid() where id = ${id}`,
  );
}

/** What the lead did since an instant that holds an SMS back, or null. */
export async function findMeanwhile(
  tx: Tx,
  { leadId, since }: { leadId: number; since: Date },
): Promise<"lead_wrote" | "lead_called" | null> {
  const { wrote, called } = await queryOnly<{ wrote: boolean; called: boolean }>(
    tx,
    sql`select exists (select 1 from messages where lead_id = ${leadId} and direction = 'inbound' and created_at > ${since}) as wrote,
       exists (select 1 from call_logs where lead_id = ${leadId} and call_date > ${since}) as called`,
  );
  return wrote ? "lead_wrote" : called ? "lead_called" : null;
}
