import type { ListPage } from "@portal/contract/entities/lead-list";
import { and, asc, desc, eq, or } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { savedViews } from "../../platform/db/schema/people.ts";

export type ViewRow = typeof savedViews.$inferSelect;

/** A group of views: those of one user for a page, or the shared ones of the page. */
export interface ViewGroup {
  page: ListPage;
  userId: number;
  isForEverybody: boolean;
}

const inGroup = ({ page, userId, isForEverybody }: ViewGroup) =>
  and(
    eq(savedViews.page, page),
    eq(savedViews.isForEverybody, isForEverybody),
    isForEverybody ? undefined : eq(savedViews.userId, userId),
  );

/** The shared views of a page, then the user's own. */
export function listViews(db: Db, { page, userId }: { page: ListPage; userId: number }): Promise<ViewRow[]> {
  return db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.page, page), or(savedViews.isForEverybody, eq(savedViews.userId, userId))))
    .orderBy(desc(savedViews.isForEverybody), asc(savedViews.position), asc(savedViews.id));
}

/** The views of a group, locked until the transaction ends. */
export function lockViews(tx: Tx, group: ViewGroup): Promise<ViewRow[]> {
  return tx
    .select()
    .from(savedViews)
    .where(inGroup(group))
    .orderBy(asc(savedViews.position), asc(savedViews.id))
    .for("update");
}

/** One view that this user may see, locked until the transaction ends; undefined if there is none. */
export async function lockView(
  tx: Tx,
  { id, userId }: { id: number; userId: number },
): Promise<ViewRow | undefined> {
  const [row] = await tx
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), or(savedViews.isForEverybody, eq(savedViews.userId, userId))))
    .for("update");
  return row;
}

/** Inserts a view. */
export async function insertView(
  tx: Tx,
  view: ViewGroup & { name: string; query: string; position: number },
): Promise<ViewRow> {
  const [row] = await tx.insert(savedViews).values(view).returning();
  if (!row) throw new Error("an insert without a row");
  return row;
}

export async function updateView(
  tx: Tx,
  id: number,
  changes: Partial<Pick<ViewRow, "name" | "query">>,
): Promise<ViewRow> {
  const [row] = await tx.update(savedViews).set(changes).where(eq(savedViews.id, id)).returning();
  if (!row) throw new Error("a held view without a row");
  return row;
}

export async function deleteView(tx: Tx, id: number): Promise<void> {
  await tx.delete(savedViews).where(eq(savedViews.id, id));
}

/** Sets the positions of these views, in the given order. */
export async function saveViewOrder(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .update(savedViews)
    .set({ position: sql`array_position(${sql.param([...ids])}::int[], ${savedViews.id})` })
    .where(sql`${savedViews.id} = any(${sql.param([...ids])}::int[])`);
}
