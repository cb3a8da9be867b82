import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { driverFault } from "./database-fault.ts";

/** The database, on the pool or inside a transaction: repository functions accept either. */
export type Db = NodePgDatabase<Record<string, never>> & { $client: pg.Pool | pg.PoolClient };

/** A transaction: `$client` is its connection, so that jobs and events commit with it. */
export type Tx = NodePgDatabase<Record<string, never>> & { $client: pg.PoolClient };

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Whether statements have names, by which the server caches their plans; false behind a pooler that loses them. */
  statements: { named: boolean };
  /**
   * Runs `work` in a transaction, with `settings` (SQL) for it. Retried (3 attempts in all) after a deadlock or serialization failure, and
   * on another connection if the server is read-only or the connection was lost before the commit was sent.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, settings?: string): Promise<T>;
  /** Runs a statement that is a transaction of its own, with the same retries. */
  retried<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Traces the statements of a pool, or of a connection while it is lent; returns a function that ends it. */
export type TraceQueries = (client: pg.Pool | pg.PoolClient) => () => void;

const statementsOf = new WeakMap<object, Database["statements"]>();

/** Whether statements may be named on this pool or connection. */
export function namesStatements(client: object): boolean {
  return statementsOf.get(client)?.named ?? true;
}

const retryable = new Set(["40P01", "40001"]);
/** read_only_sql_transaction: the server is no longer the primary. It did nothing, and its other connections are equally useless. */
const readOnly = "25006";
/** The server ended the connection: admin_shutdown, crash_shutdown, cannot_connect_now. */
const ended = new Set(["57P01", "57P02", "57P03", "ECONNRESET", "EPIPE", "ECONNREFUSED"]);
/** Pauses before the second and third attempt on another connection: a proxy needs a moment to switch to the new primary. */
const pausesMs = [0, 100, 500];

function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === "string" ? code : sqlState(cause);
}

/** The PostgreSQL error code behind an error of the query layer, or undefined. */
export const postgresCode = sqlState;

/** Name of the unique index or other constraint that an error of the query layer reports, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { constraint, cause } = error as { constraint?: unknown; cause?: unknown };
  return typeof constraint === "string" ? constraint : violatedConstraint(cause);
}

/** A transaction that certainly had no effect, because its commit was not sent, and whose connection can no longer be used. */
class UndoneError extends Error {}

async function inTransaction<T>(
  { pool, trace }: { pool: pg.Pool; trace: TraceQueries | undefined },
  work: (tx: Tx) => Promise<T>,
  settings: string,
): Promise<T> {
  const client = await pool.connect();
  const untrace = trace?.(client);
  let broken: Error | undefined;
  let isCommitting = false;
  try {
    await client.query(`begin; ${settings}`);
    const result = await work(drizzle(client) as Tx);
    isCommitting = true;
    await client.query("commit");
    return result;
  } catch (error) {
    // Without a response the connection is lost or hangs: a rollback would only wait again, and closing the connection rolls back too.
    const fault = driverFault(error);
    const code = sqlState(error) ?? "";
    if (fault === "no-answer" || fault === "lost" || ended.has(code) || code === readOnly)
      broken = error as Error;
    else
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
    if (broken && !isCommitting && (fault === "lost" || ended.has(code)))
      throw new UndoneError("the connection was lost before the commit", { cause: error });
    throw error;
  } finally {
    untrace?.();
    client.release(broken);
  }
}

async function retried<T>(work: () => Promise<T>, isRetried = mayRetry): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || !isRetried(error)) throw error instanceof UndoneError ? error.cause : error;
      if (needsAnother(error)) await sleep(pausesMs[attempt]);
    }
  }
}

const needsAnother = (error: unknown) => error instanceof UndoneError || sqlState(error) === readOnly;
const mayRetry = (error: unknown) => needsAnother(error) || retryable.has(sqlState(error) ?? "");

function notReplicated(): pg.DatabaseError {
  const error = new pg.DatabaseError("the commit was not confirmed by a standby", 0, "error");
  // transaction_resolution_unknown
  error.code = "08007";
  return error;
}

/**
 * Makes a pool drop every connection to a server that is no longer the primary or no longer responds: idle ones at once, those in use when
 * they are released. A single statement that such a server refused is retried on another connection, as it had no effect.
 */
export function leaveDemoted(pool: pg.Pool): void {
  let age = 0;
  const born = new WeakMap<pg.PoolClient, number>();
  const forget = () => {
    age += 1;
    for (let idle = pool.idleCount; idle > 0; idle -= 1)
      void pool.connect().then(
        (client) => client.release(),
        () => undefined,
      );
  };
  pool.on("connect", (client) => {
    const bornAt = age;
    born.set(client, bornAt);
    // The driver emits this for every error of the server, however the statement was sent.
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === readOnly && bornAt === age) forget();
    });
    // If a commit that waits for a standby is cancelled, PostgreSQL only warns and reports success: the rows are on this server alone, and
    // a failover would lose what was acknowledged. As the result is unknown, this becomes an error.
    client.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN") connection.emit("errorMessage", notReplicated());
    });
  });
  // The event comes before the pool decides whether to keep the connection; it does not keep one that is being ended.
  pool.on("release", (fault, client) => {
    const isOfNow = born.get(client) === age;
    if (isOfNow && driverFault(fault) === "no-answer") forget();
    if (!isOfNow) void (client as unknown as pg.Client).end().catch(() => undefined);
  });
  const ask = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  const isRefused = (error: unknown) => sqlState(error) === readOnly;
  pool.query = ((...given: unknown[]) => {
    const [first] = given;
    const isStream = typeof first === "object" && first !== null && "submit" in first;
    if (isStream || typeof given.at(-1) === "function") return ask(...given);
    return retried(() => ask(...given) as Promise<unknown>, isRefused);
  }) as typeof pool.query;
}

/**
 * Opens the pool. Waiting for a connection ends after `waitMs` (2 s) and a statement after `answerMs` (7.5 s), both as errors that the HTTP
 * layer turns into 503, so that requests never pile up at a hanging database and each ends within 10 s.
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
    // PostgreSQL ends a statement that is only slow; the client gives up if there is no response at all.
    statement_timeout: answerMs - Math.min(500, answerMs / 2),
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    // Pages are read by index from memory or solid-state disks: the defaults are those of spinning disks, for which the planner would
    // rather sort a tenth of the table. JIT compilation takes longer than any of our statements.
    options: "-c random_page_cost=1.1 -c jit=off -c timezone=UTC",
  };
  const pool = new pg.Pool({ ...connection, max: options.poolSize ?? 8 });
  trace?.(pool);
  // An idle connection that fails must not end the process; the next query opens another.
  pool.on("error", options.onError);
  // The pool does not listen to errors of a lent connection: its loss would end the process. Its next query fails instead.
  const statements = { named: true };
  statementsOf.set(pool, statements);
  pool.on("connect", (client) => {
    statementsOf.set(client, statements);
    client.on("error", () => undefined);
  });
  leaveDemoted(pool);
  return {
    db: drizzle(pool) as Db,
    pool,
    statements,
    transaction: (work, settings = "") => retried(() => inTransaction({ pool, trace }, work, settings)),
    retried: (work) => retried(work),
    close: () => pool.end(),
  };
}

/** invalid_sql_statement_name, duplicate_prepared_statement */
const lostNames = new Set(["26000", "42P05"]);
// A random name, so that no other process has prepared it on the server connection where this one looks for it.
const namedQuestion = { name: `check-${randomUUID()}`, text: "select current_setting('TimeZone') as zone" };

/**
 * Whether a named statement still exists when it is used again, after another connection's transaction may have taken its server
 * connection: a transaction pooler may have switched it (PgBouncer before 1.21).
 */
export async function supportsNamedStatements({ pool }: Pick<Database, "pool">): Promise<boolean> {
  const one = await pool.connect();
  try {
    await one.query(namedQuestion);
    const other = await pool.connect();
    try {
      await other.query("begin");
      await one.query(namedQuestion);
    } finally {
      await other.query("rollback").finally(() => other.release());
    }
    return true;
  } catch (error) {
    if (lostNames.has(postgresCode(error) ?? "")) return false;
    throw error;
  } finally {
    one.release();
  }
}
