import type { GoLiveStep } from "@portal/contract/routes/go-live";
import { and, desc, eq, isNull, lt, ne } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { calls } from "../../platform/db/schema/calls.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { goLiveMarks, testCalls } from "../../platform/db/schema/organisation.ts";
import { users } from "../../platform/db/schema/users.ts";

export type TestCallRow = typeof testCalls.$inferSelect;

/** The marked steps, with the user who marked each. */
export function listMarks(db: Db) {
  return db
    .select({ step: goLiveMarks.step, markedAt: goLiveMarks.markedAt, by: users.name })
    .from(goLiveMarks)
    .innerJoin(users, eq(users.id, goLiveMarks.userId));
}

export async function saveMark(tx: Tx, mark: { step: GoLiveStep; userId: number }): Promise<void> {
  const set = { userId: mark.userId, markedAt: sql`clock_timestamp()` };
  await tx.insert(goLiveMarks).values(mark).onConflictDoUpdate({ target: goLiveMarks.step, set });
}

/** Deletes a mark and returns it, or undefined. */
export async function deleteMark(tx: Tx, step: GoLiveStep) {
  const [mark] = await tx.delete(goLiveMarks).where(eq(goLiveMarks.step, step)).returning();
  return mark;
}

/** For each prefix of leads' numbers (country code and, if any, area code): one example, and the number of leads. */
export function listNumberRanges(db: Db) {
  const range = sql`left(${leads.phoneE164}, 5)`;
  return db
    .select({ sample: sql<string>`min(${leads.phoneE164})`, count: sql<number>`count(*)::int` })
    .from(leads)
    .where(sql`${leads.phoneE164} is not null and ${leads.crmDeletedAt} is null`)
    .groupBy(range);
}

export async function insertTestCall(
  tx: Tx,
  call: { userId: number; keyHash: string; publicUrl: string },
): Promise<TestCallRow> {
  const [row] = await tx.insert(testCalls).values(call).returning();
  if (!row) throw new Error("no test call was made");
  return row;
}

export async function findLiveTestCall(db: Db, userId: number): Promise<TestCallRow | undefined> {
  const [row] = await db
    .select()
    .from(testCalls)
    .where(and(eq(testCalls.userId, userId), isNull(testCalls.endedAt)));
  return row;
}

/** Whether the user has a running call with a lead. */
export async function isOnCall(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(calls, and(eq(calls.userId, userId), ne(calls.state, "ended")))) > 0;
}

/** The newest test call of all users, with the user who made it. */
export async function findLastTestCall(db: Db) {
  const [row] = await db
    .select({ call: testCalls, by: users.name })
    .from(testCalls)
    .innerJoin(users, eq(users.id, testCalls.userId))
    .orderBy(desc(testCalls.id))
    .limit(1);
  return row;
}

export async function findTestCall(db: Db, id: number) {
  const [row] = await db
    .select({ call: testCalls, by: users.name })
    .from(testCalls)
    .innerJoin(users, eq(users.id, testCalls.userId))
    .where(eq(testCalls.id, id));
  return row;
}

export async function lockTestCall(tx: Tx, id: number): Promise<TestCallRow | undefined> {
  const [row] = await tx.select().from(testCalls).where(eq(testCalls.id, id)).for("update");
  return row;
}

export async function updateTestCall(tx: Tx, id: number, set: Partial<TestCallRow>): Promise<void> {
  await tx.update(testCalls).set(set).where(eq(testCalls.id, id));
}

/** Running test calls that were requested before an instant. */
export function listSilentTestCalls(db: Db, before: Date): Promise<TestCallRow[]> {
  return db
    .select()
    .from(testCalls)
    .where(and(isNull(testCalls.endedAt), lt(testCalls.askedAt, before)));
}

/** A user's own phone, as typed and in E.164, and the language of the announcement. */
export async function findOwnPhone(db: Db, userId: number) {
  const [row] = await db
    .select({ typed: users.personalPhone, e164: users.personalPhoneE164, language: users.language })
    .from(users)
    .where(eq(users.id, userId));
  return row;
}
