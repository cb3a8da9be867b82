import { type Database, postgresCode } from "../../platform/db/client.ts";
import { execute, queryOnly, sql } from "../../platform/db/query.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";

export interface ReadyContext {
  database: Database;
  events: EventListener;
  jobs: Pick<Jobs, "ready">;
}

const pooler = "A connection pooler must lend connections by the session (docs/operations.md).";
/** invalid_sql_statement_name, duplicate_prepared_statement */
const lostStatements = new Set(["26000", "42P05"]);

/** Asked by name on a connection that another one's transaction may have been lent meanwhile: a pooler may have given it another server. */
async function keepsStatements({ pool }: Database): Promise<boolean> {
  const ask = { name: "ready-check", text: "select current_setting('TimeZone') as zone" };
  const one = await pool.connect();
  try {
    await one.query(ask);
    const other = await pool.connect();
    try {
      await other.query("begin");
      await one.query(ask);
    } finally {
      await other.query("rollback").finally(() => other.release());
    }
    return true;
  } catch (error) {
    if (lostStatements.has(postgresCode(error) ?? "")) return false;
    throw error;
  } finally {
    one.release();
  }
}

/**
 * Whether what the server stands on works: the database, its notifications, prepared statements, the sessions' settings, the jobs.
 * Errors: `unavailable`, whose message names what does not.
 */
async function look({ database, events, jobs }: ReadyContext): Promise<void> {
  const { zone } = await queryOnly<{ zone: string }>(
    database.db,
    sql`select current_setting('TimeZone') as zone`,
  );
  if (zone !== "UTC")
    throw new AppError(
      "unavailable",
      `Session settings do not reach the database: its time zone is not UTC. ${pooler}`,
    );
  if (!(await keepsStatements(database)))
    throw new AppError("unavailable", `Prepared statements do not work. ${pooler}`);
  const notify = (channel: string, payload: string) =>
    execute(database.db, sql`select pg_notify(${channel}, ${payload})`);
  if (!(await events.receives(notify))) throw new AppError("unavailable", `LISTEN does not work. ${pooler}`);
  if (!jobs.ready()) throw new AppError("unavailable", "Background jobs are not running.");
}

/** `look`, where all who ask at once share one answer: the address is open to everybody. */
export function createReadyCheck(context: ReadyContext): () => Promise<void> {
  let looking: Promise<void> | undefined;
  return () => {
    looking ??= look(context)
      .catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        throw Object.assign(new AppError("unavailable", "The database does not answer."), { cause: error });
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
}
