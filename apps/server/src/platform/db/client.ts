import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { driverFault } from "./driver-fault.ts";

/** The database, on the pool or inside a transaction: data functions take either. */
export type Db = NodePgDatabase<Record<string, never>> & { $client: pg.Pool | pg.PoolClient };

/** A transaction: `$client` is its own connection, so that jobs and events commit with it. */
export type Tx = NodePgDatabase<Record<string, never>> & { $client: pg.PoolClient };

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Whether statements have names, by which the server keeps their plans; switched off where a pooler loses them. */
  statements: { named: boolean };
  /** Runs `work` in a transaction, with `settings` (SQL) for it; a deadlock or serialization failure is tried again (3 times in all). */
  transaction<T>(work: (tx: Tx) => Promise<T>, settings?: string): Promise<T>;
  /** Runs a statement that is a transaction of its own; tries again in the same way. */
  retried<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Puts the statements of a pool, or of a connection while it is lent, on traces; returns what ends that. */
export type TraceQueries = (client: pg.Pool | pg.PoolClient) => () => void;

const statementsOf = new WeakMap<object, Database["statements"]>();

/** Whether statements may have names on this pool or connection. */
export function namesStatements(client: object): boolean {
  return statementsOf.get(client)?.named ?? true;
}

const retryable = new Set(["40P01", "40001"]);

function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === "string" ? code : sqlState(cause);
}

/** The PostgreSQL error code behind an error of the query layer, or undefined. */
export const postgresCode = sqlState;

/** Which unique index or other constraint an error of the query layer names, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { constraint, cause } = error as { constraint?: unknown; cause?: unknown };
  return typeof constraint === "string" ? constraint : violatedConstraint(cause);
}

async function inTransaction<T>(
  { pool, trace }: { pool: pg.Pool; trace: TraceQueries | undefined },
  work: (tx: Tx) => Promise<T>,
  settings: string,
): Promise<T> {
  const client = await pool.connect();
  const untrace = trace?.(client);
  let broken: Error | undefined;
  try {
    await client.query(`begin; ${settings}`);
    const result = await work(drizzle(client) as Tx);
    await client.query("commit");
    return result;
  } catch (error) {
    // Without an answer the connection is lost or hangs: a rollback would wait once more, and it rolls back by being closed.
    const fault = driverFault(error);
    if (fault === "no-answer" || fault === "lost") broken = error as Error;
    else
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
    throw error;
  } finally {
    untrace?.();
    client.release(broken);
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || !retryable.has(sqlState(error) ?? "")) throw error;
    }
  }
}

/**
 * Opens the pool. Waiting for a connection ends after `waitMs` (2 s) and a statement after `answerMs` (7.5 s), both as errors that the
 * HTTP layer answers with 503, so that a hanging database never piles up requests and each ends within 10 s.
 */
export function openDatabase(options: {
  url: string;
  poolSize?: number;
  answerMs?: number;
  waitMs?: number;
  onError: (error: Error) => void;
  trace?: TraceQueries | undefined;
}): Database {
  const { answerMs = 7_500, waitMs = 2_000, trace } = options;
  const connection: pg.ClientConfig = {
    connectionString: options.url,
    connectionTimeoutMillis: waitMs,
    // PostgreSQL ends a statement that is only slow; the client gives up where nothing answers at all.
    statement_timeout: answerMs - Math.min(500, answerMs / 2),
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    // Pages are read by index from memory or solid-state disks: the defaults are those of spinning disks, and would rather sort a tenth
    // of the table. Compiling a statement takes longer than any of ours runs.
    options: "-c random_page_cost=1.1 -c jit=off -c timezone=UTC",
  };
  const pool = new pg.Pool({ ...connection, max: options.poolSize ?? 8 });
  trace?.(pool);
  // An idle connection that dies must not end the process; the next query opens another.
  pool.on("error", options.onError);
  // The pool does not listen to a connection that is lent out: its loss would end the process. Its next query fails.
  const statements = { named: true };
  statementsOf.set(pool, statements);
  pool.on("connect", (client) => {
    statementsOf.set(client, statements);
    client.on("error", () => undefined);
  });
  return {
    db: drizzle(pool) as Db,
    pool,
    statements,
    transaction: (work, settings = "") => retried(() => inTransaction({ pool, trace }, work, settings)),
    retried,
    close: () => pool.end(),
  };
}
