import { type Database, supportsNamedStatements } from "../../platform/db/client.ts";

import { execute, queryOnly, sql } from "../../platform/db/query.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";

export interface ReadyContext {
  database: Database;
  events: EventListener;
  jobs: Pick<Jobs, "ready">;
}

const pooler = "Behind a connection pooler the role must bring them (docs/operations.md).";
const direct =
  "Behind a connection pooler DATABASE_DIRECT_URL must name the same database past it (docs/operations.md).";
/**
 * Checks the server's dependencies: the database, its notifications, prepared statements, session settings, and jobs. Errors:
 * `unavailable`, whose message names the failing one.
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
  if (database.statements.named && !(await supportsNamedStatements(database)))
    throw new AppError(
      "unavailable",
      "Prepared statements do not work any more: the connection pooler has changed. Start the portal anew.",
    );
  const notify = (channel: string, payload: string) =>
    execute(database.db, sql`select pg_notify(${channel}, ${payload})`);
  if (!(await events.receives(notify))) throw new AppError("unavailable", `LISTEN does not work. ${direct}`);
  if (!jobs.ready()) throw new AppError("unavailable", "Background jobs are not running.");
}

/** The same check, shared by concurrent requests, because its address is public. */
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
