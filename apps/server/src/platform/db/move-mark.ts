import type pg from "pg";
import { holdLock } from "./advisory-locks.ts";
import { StartFault } from "./database-fault.ts";

/**
 * The mark that a move to another server (`npm run db:move`) leaves in both databases, so that no portal ever works on the wrong one, even
 * if the move is killed:
 * `closing`: in the old database while the last changes are copied; it is read-only.
 * `moved`: in the old database for good.
 * `unfinished`: in the new database until the old one is marked as moved.
 */
export interface MoveMark {
  id: string;
  state: "closing" | "moved" | "unfinished";
  at: Date;
  /** Host and name of the new database, without a password. */
  place: string;
}

/** The mark of a move, or null. Writes nothing. */
export async function readMoveMark(client: pg.ClientBase): Promise<MoveMark | null> {
  const { rows: found } = await client.query("select to_regclass('portal_move.mark') is not null as known");
  if (!found[0]?.known) return null;
  const { rows } = await client.query<MoveMark>("select id, state, at, place from portal_move.mark");
  return rows[0] ?? null;
}

/** Writes the mark, replacing an existing one. */
export async function writeMoveMark(client: pg.ClientBase, mark: Omit<MoveMark, "at">): Promise<void> {
  await client.query(`create schema if not exists portal_move; create table if not exists portal_move.mark
    (id text not null, state text not null, at timestamptz not null default clock_timestamp(), place text not null)`);
  await client.query("delete from portal_move.mark");
  await client.query("insert into portal_move.mark (id, state, place) values ($1, $2, $3)", [
    mark.id,
    mark.state,
    mark.place,
  ]);
}

export async function removeMoveMark(client: pg.ClientBase): Promise<void> {
  await client.query("drop schema if exists portal_move cascade");
}

/** Ends every other session of the database except those with these process ids. */
export async function endOtherSessions(client: pg.ClientBase, own: number[]): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and pid <> all($1::int[])`,
    [own],
  );
}

/** Makes sessions that begin from now on read-only (`on`), or writable again. */
export async function setReadOnly(client: pg.ClientBase, on: boolean): Promise<void> {
  await client.query(
    `do $$ begin execute format('alter database %I ${on ? "set default_transaction_read_only = on" : "reset default_transaction_read_only"}', current_database()); end $$`,
  );
}

/** Opens a database again that a move had closed, and ends the read-only sessions, so that they reconnect. */
export async function reopen(client: pg.ClientBase, own: number[] = []): Promise<void> {
  await client.query("set default_transaction_read_only = off");
  await client.query("begin");
  await setReadOnly(client, false);
  await removeMoveMark(client);
  await client.query("commit");
  await endOtherSessions(client, own);
}

/** The error of a mark for a start of the portal on this database; null if the portal may start. */
export function moveFaultOf(mark: MoveMark | null): StartFault | null {
  if (!mark || mark.state === "closing") return null;
  const { place, at } = mark;
  if (mark.state === "moved")
    return new StartFault(
      `What this database held was moved to ${place} at ${at.toISOString()}, and only that one has what came since. Set DATABASE_URL to it.`,
    );
  return new StartFault(
    `The move into ${place} is under way, or was ended before its last step. Run npm run db:move again: it finishes it, or says what to do.`,
    { passes: true },
  );
}

/**
 * Before a portal works on a database: opens it again if its move was killed midway, as nothing works on the new one. Errors: `StartFault`
 * if it was moved away, or if the move into it is unfinished.
 */
export async function checkMoveMark(client: pg.ClientBase): Promise<void> {
  const mark = await readMoveMark(client);
  const fault = moveFaultOf(mark);
  if (fault) throw fault;
  if (!mark) return;
  // A move holds the lock until its end: afterwards the mark tells the result.
  await client.query("begin");
  await holdLock(client, "backup");
  const then = await readMoveMark(client);
  await client.query("rollback");
  const outcome = moveFaultOf(then);
  if (outcome) throw outcome;
  if (then) await reopen(client);
}
