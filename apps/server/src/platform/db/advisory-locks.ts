import type pg from "pg";
import type { Tx } from "./client.ts";
import { queryOnly, sql } from "./query.ts";

/**
 * The key of every advisory lock. PostgreSQL identifies them by number alone, so two equal numbers would block each other: a new lock gets
 * a new number here.
 */
export const advisoryLocks = {
  migration: 4_702_001,
  testTemplate: 4_702_002,
  demoHistory: 4_702_003,
  /** Held by backups and by schema changes, so that they never run together. */
  backup: 4_702_004,
  leadIngestion: 4_702_010,
  /** Held while metrics are stored, so that the later snapshot is always stored last. */
  metricsRollup: 4_702_011,
  nightlyRead: 4_702_012,
  /** Taken with the user's id as the second key. */
  person: 4_702_020,
} as const;

/** Locks that are identified by a text: the prefix separates the keys of one kind from those of another. */
const textLocks = {
  callSid: "call-sid",
  providerEvents: "events",
  failedSignIn: "sign-in-failed",
  adminAlert: "admin-alert",
  pushKeys: "push-keys",
  backupRuns: "backup-runs",
  /** One user's templates, or the shared ones. */
  smsTemplates: "sms-templates",
} as const;

/** Waits for the lock of a key and holds it until the transaction ends. */
export async function lockText(tx: Tx, kind: keyof typeof textLocks, key: string): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `${textLocks[kind]}:${key}`,
  ]);
}

/**
 * Locks the events of a source for one transaction; returns false if another process holds them. The commit does not wait for the disk:
 * after a crash of PostgreSQL the effect and the closing of an event are lost together, and the event is processed again. A process that
 * hangs loses the lock after 5 s.
 */
export async function tryLockEvents(tx: Tx, source: string): Promise<boolean> {
  const { mine } = await queryOnly<{ mine: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`${textLocks.providerEvents}:${source}`}::text, 0)) as mine,
       set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '5s', true)`,
    { prepared: true },
  );
  return mine;
}

/** Waits for a lock and holds it until the client's transaction ends. `limits`: the driver's time limit, for locks that may take long. */
export async function holdLock(
  client: pg.ClientBase,
  lock: keyof typeof advisoryLocks,
  limits: { query_timeout?: number } = {},
): Promise<void> {
  await client.query({
    text: "select pg_advisory_xact_lock($1)",
    values: [advisoryLocks[lock]],
    ...limits,
  });
}

/**
 * Serialises everything that ingests leads (sync, imports, webhooks) until the transaction ends, so that two of them never create two leads
 * for one person. Keep such transactions short. From here on the transaction uses index scans: while an import fills the table the planner
 * still assumes that it is small, and would read all of it for each batch.
 */
export async function lockLeadIngestion(tx: Tx): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)", [
    advisoryLocks.leadIngestion,
  ]);
}

/**
 * Locks a user until the transaction ends, so that of two simultaneous calls, outbound or inbound, the second sees the first. A transaction
 * that also locks a lead locks the lead first, so that there is no deadlock.
 */
export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1, $2)", [advisoryLocks.person, userId]);
}
