import { and, asc, eq, gt, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { leads } from "../../db/schema/leads.ts";
import { messages } from "../../db/schema/messages.ts";
import { users } from "../../db/schema/users.ts";

export type MessageRow = typeof messages.$inferSelect;

/** A text with the name of who wrote it. */
export interface MessageViewRow extends MessageRow {
  senderName: string | null;
}

function views(db: Db) {
  return db
    .select({ message: messages, senderName: users.name })
    .from(messages)
    .leftJoin(users, eq(users.id, messages.userId));
}

/** The texts with a lead, oldest first. */
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

/** Who a lead belongs to; undefined where there is no such lead. */
export async function findOwner(db: Db, leadId: number): Promise<{ assignedTo: number | null } | undefined> {
  const [row] = await db.select({ assignedTo: leads.assignedTo }).from(leads).where(eq(leads.id, leadId));
  return row;
}

/** The text that a repeated request of the browser made before. */
export async function findByRef(db: Db, clientRef: string): Promise<MessageRow | undefined> {
  const [row] = await db.select().from(messages).where(eq(messages.clientRef, clientRef));
  return row;
}

/** The same words from the same person to the same lead within the last `withinMs`, unless they failed. */
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

/** Writes the text that is about to be asked for. Errors: the unique violation `messages_client_ref_unique`. */
export async function insertOutbound(
  tx: Tx,
  input: { leadId: number; userId: number; body: string; from: string; to: string; clientRef: string | null },
): Promise<MessageRow> {
  const { leadId, userId, body, from, to, clientRef } = input;
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
      createdAt: sql`clock_timestamp()`,
      askedAt: sql`clock_timestamp()`,
    })
    .returning();
  if (!row) throw new Error("no message was written");
  return row;
}

/** Holds a text of ours until the transaction ends, so that news of two processes joins one after the other. */
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

/** Takes a sid away from the row that has it, which is looked up at the provider anew. */
export async function disownText(tx: Tx, sid: string): Promise<void> {
  await tx
    .update(messages)
    .set({ messageSid: null, status: "requested", errorCode: null, segments: null, checkedAt: null })
    .where(and(eq(messages.messageSid, sid), eq(messages.direction, "outbound")));
}

export async function updateMessage(tx: Tx, messageId: number, patch: Partial<MessageRow>): Promise<void> {
  await tx
    .update(messages)
    .set({ ...patch, lastNewsAt: sql`clock_timestamp()` })
    .where(eq(messages.id, messageId));
}

/** Keeps an inbound text; false where the provider told of it before. */
export async function insertInbound(
  tx: Tx,
  input: { sid: string; leadId: number | null; from: string; to: string; body: string; attachments: number },
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
    })
    .onConflictDoNothing({ target: messages.messageSid })
    .returning({ id: messages.id });
  return rows.length > 0;
}

/** Marks the inbound texts of a lead as seen. */
export async function markRead(tx: Tx, leadId: number): Promise<number> {
  const { rowCount } = await tx.$client.query(
    `update messages set read_at = clock_timestamp()
     where lead_id = $1 and direction = 'inbound' and read_at is null`,
    [leadId],
  );
  return rowCount ?? 0;
}
