import { and, eq, ne } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, sql } from "../../../platform/db/query.ts";
import { lines } from "../../../platform/db/schema/calls.ts";

export type LineRow = typeof lines.$inferSelect;

export async function findLine(db: Db, lineId: number): Promise<LineRow | undefined> {
  const [row] = await db.select().from(lines).where(eq(lines.id, lineId));
  return row;
}

/** The live line of a consultant, or undefined. */
export async function findLiveLine(db: Db, userId: number): Promise<LineRow | undefined> {
  const [row] = await db
    .select()
    .from(lines)
    .where(and(eq(lines.userId, userId), ne(lines.state, "ended")));
  return row;
}

/** Locks a line. */
export async function lockLine(tx: Tx, lineId: number): Promise<LineRow | undefined> {
  const [row] = await tx.select().from(lines).where(eq(lines.id, lineId)).for("update");
  return row;
}

/** Inserts a line. Errors: the unique violation `lines_live_user_key`. */
export async function insertLine(
  tx: Tx,
  values: Pick<LineRow, "userId" | "repNumber" | "repLine">,
): Promise<LineRow> {
  const [row] = await tx.insert(lines).values(values).returning();
  if (!row) throw new Error("no line was made");
  return row;
}

/** Updates a line and its version, so that a pending request of an older version is answered at once. */
export async function updateLine(
  tx: Tx,
  lineId: number,
  patch: Partial<Omit<LineRow, "id" | "version">>,
): Promise<LineRow> {
  const [row] = await tx
    .update(lines)
    .set({ ...patch, version: sql`${lines.version} + 1` })
    .where(eq(lines.id, lineId))
    .returning();
  if (!row) throw new Error(`no line ${lineId}`);
  return row;
}

/** Ends a line that is hanging up, in favour of the one inserted in the same transaction (`findReplacedLegs`). */
export async function replaceLine(tx: Tx, lineId: number): Promise<void> {
  await execute(
    tx,
    sql`update lines set state = 'ended', ended_at = now(), version = version + 1 where id = ${lineId}`,
  );
}

/** Sids of the consultant's legs whose lines this one replaced. */
export async function findReplacedLegs(db: Db, line: LineRow): Promise<string[]> {
  const rows = await query<{ sid: string }>(
    db,
    sql`select l.call_sid as sid from lines l join lines next on next.id = ${line.id}
     where l.user_id = next.user_id and l.ended_at = next.started_at and l.call_sid is not null`,
  );
  return rows.map(({ sid }) => sid);
}

/** Which of these sids belong to stored calls or lines. */
export async function knownSids(db: Db, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await query<{ sid: string }>(
    db,
    sql`select call_sid as sid from calls where call_sid = any(${sql.param(sids)}::text[])
     union all select call_sid from lines where call_sid = any(${sql.param(sids)}::text[])`,
  );
  return new Set(rows.map(({ sid }) => sid));
}

/** The line of a consultant's leg, or undefined. */
export async function findLineOf(db: Db, callSid: string): Promise<LineRow | undefined> {
  const [row] = await db.select().from(lines).where(eq(lines.callSid, callSid));
  return row;
}
