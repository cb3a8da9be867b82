import { setTimeout as sleep } from "node:timers/promises";
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
  /**
   * Runs `work` in a transaction, with `settings` (SQL) for it. Tried again (3 times in all) after a deadlock or serialization failure, and on another
   * connection where the server takes no writes, or was lost before the commit was sent.
   */
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
/** The server is no primary any more: it did nothing, and neither would its other connections. */
const readOnly = "25006";
/** The server ended the connection: admin_shutdown, crash_shutdown, cannot_connect_now. */
const ended = new Set(["57P01", "57P02", "57P03", "ECONNRESET", "EPIPE", "ECONNREFUSED"]);
/** Before the second and third try on another connection: a proxy needs a moment to lead to the new primary. */
const pausesMs = [0, 100, 500];

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

/** A transaction that did nothing for certain, as its commit was not sent, and whose connection is of no use any more. */
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
    // Without an answer the connection is lost or hangs: a rollback would wait once more, and it rolls back by being closed.
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
 * Makes a pool forget every connection that leads to a server which is no primary any more, or answers no more: those that are idle at once,
 * those at work when they come back. A statement of its own that such a server refused is asked once more elsewhere: it did nothing.
 */
function leaveDemoted(pool: pg.Pool): void {
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
    // The driver tells of every refusal here, whichever way the statement was asked.
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === readOnly && bornAt === age) forget();
    });
    // Where somebody cancels a commit that waits for a standby, PostgreSQL warns and says that all is well: the rows are on this server alone, and
    // a failover would lose what was acknowledged. Nobody knows what becomes of them: an error.
    client.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN") connection.emit("errorMessage", notReplicated());
    });
  });
  // Told before the pool decides whether it keeps the connection: one that is being ended it does not.
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
