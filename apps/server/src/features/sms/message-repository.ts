import { and, asc, desc, eq, gt, inArray, lt, notInArray, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { messages } from "../../platform/db/schema/messages.ts";
import { users } from "../../platform/db/schema/users.ts";

export type MessageRow = typeof messages.$inferSelect;

/** An SMS with its sender's name. */
export interface MessageViewRow extends MessageRow {
  senderName: string | null;
}

function views(db: Db) {
  return db
    .select({ message: messages, senderName: users.name })
    .from(messages)
    .leftJoin(users, eq(users.id, messages.userId));
}

/** SMS of a lead, oldest first. */
export async function listMessages(db: Db, leadId: number): Promise<MessageViewRow[]> {
  const rows = await views(db)
    .where(eq(messages.leadId, leadId))
    .orderBy(asc(messages.createdAt), asc(messages.id));
  return rows.map(({ message, senderName }) => ({ ...message, senderName }));
}

export async function findMessage(db: Db, messageId: number): Promise<MessageViewRow | undefined> {
  const [row] = await views(db).where(eq(messages.id, messageId));
  return row && { ...row.message, senderName: row.senderName };
}

/** The lead's owner; undefined if the lead does not exist. */
export async function findOwner(db: Db, leadId: number): Promise<{ assignedTo: number | null } | undefined> {
  const [row] = await db.select({ assignedTo: leads.assignedTo }).from(leads).where(eq(leads.id, leadId));
  return row;
}

/** The alias number that the lead's newest SMS came from; null if it came from the main number or there is none. */
export async function findFurtherNumber(tx: Tx, leadId: number): Promise<string | null> {
  const row = await queryFirst<{ number: string }>(
    tx,
    sql`select a.phone_e164 as number from lead_aliases a where a.lead_id = ${leadId} and a.phone_e164 = (
       select m.from_number from messages m where m.lead_id = ${leadId} and m.direction = 'inbound'
       order by m.created_at desc, m.id desc limit 1)
     and not exists (select 1 from leads l where l.id = ${leadId} and l.phone_e164 = a.phone_e164) limit 1`,
  );
  return row?.number ?? null;
}

/** The SMS that an earlier request with this reference created. */
export async function findByRef(db: Db, clientRef: string): Promise<MessageRow | undefined> {
  const [row] = await db.select().from(messages).where(eq(messages.clientRef, clientRef));
  return row;
}

/** The same body from the same user to the same lead within the last `withinMs`, unless it failed. */
export async function findRepeat(
  tx: Tx,
  input: { leadId: number; userId: number; body: string; withinMs: number },
): Promise<MessageRow | undefined> {
  const { leadId, userId, body, withinMs } = input;
  const [row] = await tx
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.leadId, leadId),
        eq(messages.userId, userId),
        eq(messages.direction, "outbound"),
        eq(messages.body, body),
        gt(messages.createdAt, sql`clock_timestamp() - ${withinMs} * interval '1 ms'`),
        notInArray(messages.status, ["failed", "undelivered"]),
      ),
    )
    .limit(1);
  return row;
}

/** Inserts an SMS before the provider is asked to send it. Errors: the unique violation `messages_client_ref_unique`. */
export async function insertOutbound(
  tx: Tx,
  input: {
    leadId: number;
    userId: number;
    body: string;
    from: string;
    to: string;
    clientRef: string | null;
    /** Stored if it belongs to a template that this user may use. */
    templateVersionId: number | null;
  },
): Promise<MessageRow> {
  const { leadId, userId, body, from, to, clientRef, templateVersionId } = input;
  const [row] = await tx
    .insert(messages)
    .values({
      leadId,
      userId,
      direction: "outbound",
      body,
      status: "requested",
      fromNumber: from,
      toNumber: to,
      clientRef,
      templateVersionId: sql`(select v.id from sms_template_versions v join sms_templates t on t.id = v.template_id
        where v.id = ${templateVersionId} and (t.is_shared or t.user_id = ${userId}))`,
      createdAt: sql`clock_timestamp()`,
      askedAt: sql`clock_timestamp()`,
    })
    .returning();
  if (!row) throw new Error("no message was written");
  return row;
}

/** Locks an outbound SMS, so that events handled by two processes are merged one after the other. */
export async function lockOutbound(
  tx: Tx,
  by: { id: number } | { sid: string },
): Promise<MessageRow | undefined> {
  const condition = "id" in by ? eq(messages.id, by.id) : eq(messages.messageSid, by.sid);
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(condition, eq(messages.direction, "outbound")))
    .for("update");
  return row;
}

/** Removes a wrongly assigned sid; the row is then looked up at the provider again. */
export async function disownMessage(tx: Tx, sid: string): Promise<void> {
  await tx
    .update(messages)
    .set({ messageSid: null, status: "requested", errorCode: null, segments: null, checkedAt: null })
    .where(and(eq(messages.messageSid, sid), eq(messages.direction, "outbound")));
}

export async function updateMessage(tx: Tx, messageId: number, patch: Partial<MessageRow>): Promise<void> {
  await tx
    .update(messages)
    .set({ ...patch, lastEventAt: sql`clock_timestamp()` })
    .where(eq(messages.id, messageId));
}

/** Stores an inbound SMS; returns false if it is stored already. */
export async function insertInbound(
  tx: Tx,
  input: {
    sid: string;
    leadId: number | null;
    from: string;
    to: string;
    body: string;
    attachments: number;
    /** When it was sent, if it was found in the provider's list; null for now. */
    at: Date | null;
  },
): Promise<boolean> {
  const rows = await tx
    .insert(messages)
    .values({
      leadId: input.leadId,
      direction: "inbound",
      body: input.body,
      attachments: input.attachments,
      status: "received",
      fromNumber: input.from,
      toNumber: input.to,
      messageSid: input.sid,
      ...(input.at && { createdAt: input.at }),
    })
    .onConflictDoNothing({ target: messages.messageSid })
    .returning({ id: messages.id });
  return rows.length > 0;
}

/** Time of the newest inbound SMS before an instant, or null. */
export async function findNewestInbound(db: Db, before: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.direction, "inbound"), lt(messages.createdAt, before)))
    .orderBy(desc(messages.createdAt))
    .limit(1);
  return row?.at ?? null;
}

/** Marks an inbound SMS as read and dismissed, as it needs no answer. */
export async function settleInbound(tx: Tx, sid: string): Promise<void> {
  await execute(
    tx,
    sql`update messages set read_at = clock_timestamp(), dismissed_at = case when lead_id is null then clock_timestamp() end
     where message_sid = ${sid} and direction = 'inbound'`,
  );
}

/** Marks a lead's inbound SMS as read: all, or those before an instant. Returns how many. */
export async function markRead(tx: Tx, leadId: number, before: Date | null = null): Promise<number> {
  return execute(
    tx,
    sql`update messages set read_at = clock_timestamp()
     where lead_id = ${leadId} and direction = 'inbound' and read_at is null
       and (${before}::timestamptz is null or created_at < ${before}::timestamptz)`,
  );
}

interface Waits {
  unansweredMs: number;
  silenceMs: number;
  againMs: number;
}

const olderThan = (instant: SQL, ms: number) => sql`${instant} < clock_timestamp() - ${ms} * interval '1 ms'`;

const recent = sql`created_at > clock_timestamp() - interval '1 day'`;

/**
 * Claims SMS whose status is overdue, for one worker at a time: those whose answer was lost, those under way, and, once, those sent without
 * a delivery report (some carriers send none). After a day an SMS that the provider accepted is left as it is.
 */
export async function claimSilentMessages(db: Db, waits: Waits, limit: number): Promise<MessageRow[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`update messages set checked_at = clock_timestamp() where id in (
       select id from messages where
         (status in ('requested', 'queued', 'sending') and (checked_at is null or ${olderThan(sql`checked_at`, waits.againMs)})
           and ((message_sid is null and ${olderThan(sql`asked_at`, waits.unansweredMs)})
             or (message_sid is not null and ${olderThan(sql`last_event_at`, waits.silenceMs)} and ${recent})))
         or (status = 'sent' and checked_at is null and ${olderThan(sql`last_event_at`, waits.silenceMs)} and ${recent})
       order by last_event_at limit ${limit} for update skip locked)
     returning id`,
  );
  const ids = rows.map(({ id }) => id);
  return ids.length > 0
    ? db.select().from(messages).where(inArray(messages.id, ids)).orderBy(messages.id)
    : [];
}

/** Which of these sids are stored. */
export async function knownMessageSids(db: Db, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await db
    .select({ sid: messages.messageSid })
    .from(messages)
    .where(inArray(messages.messageSid, sids));
  return new Set(rows.flatMap(({ sid }) => sid ?? []));
}

/** Times at which other SMS with this body to that number were requested whose sids are not known either. */
export async function findMessageRivals(
  db: Db,
  row: Pick<MessageRow, "id" | "toNumber" | "body">,
): Promise<Date[]> {
  const rows = await query<{ asked_at: Date }>(
    db,
    sql`select asked_at from messages where status = 'requested' and message_sid is null and asked_at is not null
       and to_number = ${row.toNumber} and body = ${row.body} and id <> ${row.id}`,
  );
  return rows.map(({ asked_at }) => asked_at);
}
