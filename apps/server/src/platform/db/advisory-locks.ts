import type pg from "pg";
import type { Tx } from "./client.ts";
import { queryOnly, sql } from "./query.ts";

/**
 * The number of every advisory lock. PostgreSQL knows them by number alone, so two that are the same would wait for each other: a new lock
 * takes a new number here.
 */
export const advisoryLocks = {
  migration: 4_702_001,
  testTemplate: 4_702_002,
  demoHistory: 4_702_003,
  /** Whoever makes a backup holds it, and whoever changes the schema. */
  backup: 4_702_004,
  leadIngestion: 4_702_010,
  /** Whoever stores metrics holds it, so that the later snapshot is always stored last. */
  metricsRollup: 4_702_011,
  nightlyRead: 4_702_012,
  /** Taken with the person's id as a second number. */
  person: 4_702_020,
} as const;

/** What is locked by a text instead: the prefix keeps the texts of one kind from those of another. */
const textLocks = {
  callSid: "call-sid",
  providerEvents: "events",
  failedSignIn: "sign-in-failed",
  adminAlert: "admin-alert",
  pushKeys: "push-keys",
  backupRuns: "backup-runs",
  /** One person's templates, or the shared ones. */
  smsTemplates: "sms-templates",
} as const;

/** Waits for the lock of a text and holds it until the transaction ends. */
export async function lockText(tx: Tx, kind: keyof typeof textLocks, key: string): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `${textLocks[kind]}:${key}`,
  ]);
}

/**
 * Takes the events of a source for one transaction, unless another process has them. Working them does not wait for the disk: what a crash
 * of PostgreSQL takes back, effect and closing together, is worked again from the stored event. A process that hangs gives them up soon.
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

/** Waits for a lock and holds it until the client's transaction ends. `limits`: the driver's own time limit, where it may take long. */
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
 * Serialises all that ingests leads (sync, imports, webhooks) until the transaction ends, so that two of them never make two leads
 * of one person. Keep such transactions short. They look things up by index from here on: while an import fills the table the planner
 * knows it as small, and would read all of it for each batch.
 */
export async function lockLeadIngestion(tx: Tx): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)", [
    advisoryLocks.leadIngestion,
  ]);
}

/**
 * Holds a person until the transaction ends, so that of two calls of one moment, made or coming in, the second sees the first. Whoever
 * holds a lead as well takes the lead first: no two transactions wait for each other.
 */
export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1, $2)", [advisoryLocks.person, userId]);
}
