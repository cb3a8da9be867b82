import { constants } from "node:fs";
import { access, readFile, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type pg from "pg";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Db } from "../../platform/db/client.ts";
import { startFaultOf } from "../../platform/db/database-fault.ts";
import { readMigrationState, withClient } from "../../platform/db/migrate.ts";
import { readJobFacts, readOutboxEnds } from "../admin/health-repository.ts";
import { readBackupState } from "../backups/service.ts";
import { describeKeyState, readKeyState } from "../encryption-keys/service.ts";
import { readBacklog } from "../monitoring/repository.ts";

export const doctorStatuses = ["ok", "info", "warn", "fail"] as const;
/** `info` is information only, `warn` needs attention, `fail` is an error. */
export type DoctorStatus = (typeof doctorStatuses)[number];

/** The result of one check, as text for support. */
export interface DoctorCheck {
  name: string;
  status: DoctorStatus;
  text: string;
}

/** Related checks under one heading. */
export interface DoctorSection {
  title: string;
  checks: DoctorCheck[];
}

export interface DoctorReport {
  at: string;
  /** The worst status of all checks. */
  status: DoctorStatus;
  sections: DoctorSection[];
}

interface Server {
  version: string;
  size: string;
  isTls: boolean;
  isReadOnly: boolean;
  used: number;
  most: number;
  extensions: string;
  now: Date;
}

const clockMs = 5_000;
const usedShare = 0.8;

async function readServer(client: pg.ClientBase): Promise<Server> {
  const { rows } = await client.query<Server>(`select current_setting('server_version') as version,
     pg_size_pretty(pg_database_size(current_database())) as size,
     coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isTls",
     pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
     (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
     current_setting('max_connections')::int as most,
     (select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension) as extensions,
     clock_timestamp() as now`);
  const [server] = rows;
  if (!server) throw new Error("no row");
  return server;
}

async function listLargest(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    `select string_agg(name || ' ' || pg_size_pretty(size), ', ' order by size desc) as text
     from (select relname as name, pg_total_relation_size(oid) as size from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 5) t`,
  );
  return rows[0]?.text ?? "none";
}

function judgeServer(server: Server): DoctorCheck[] {
  const skewMs = Math.abs(server.now.getTime() - Date.now());
  return [
    {
      name: "Server",
      status: "ok",
      text: `PostgreSQL ${server.version}, ${server.isTls ? "TLS" : "no TLS"}`,
    },
    {
      name: "Writes",
      status: server.isReadOnly ? "fail" : "ok",
      text: server.isReadOnly ? "refused: a standby, or set to read only" : "taken",
    },
    {
      name: "Connections",
      status: server.used > usedShare * server.most ? "warn" : "ok",
      text: `${server.used} of ${server.most}`,
    },
    {
      name: "Clock",
      status: skewMs > clockMs ? "warn" : "ok",
      text: `${(skewMs / 1_000).toFixed(1)} s from this machine's`,
    },
    { name: "Size", status: "info", text: server.size },
    { name: "Extensions", status: "info", text: server.extensions },
  ];
}

async function judgeMigrations(client: pg.ClientBase): Promise<{ check: DoctorCheck; isCurrent: boolean }> {
  const { applied, pending, unknown } = await readMigrationState(client);
  const name = "Migrations";
  if (unknown > 0)
    return {
      check: { name, status: "warn", text: `${unknown} of a newer version of the portal` },
      isCurrent: false,
    };
  if (pending > 0)
    return { check: { name, status: "warn", text: `${pending} wait for the next start` }, isCurrent: false };
  return { check: { name, status: "ok", text: `all ${applied}` }, isCurrent: true };
}

/** Checks the server and the schema; `isCurrent`: whether the schema has this version, so that it can be queried. */
export async function checkDatabase(url: string): Promise<{ checks: DoctorCheck[]; isCurrent: boolean }> {
  try {
    return await withClient(url, async (client) => {
      const server = judgeServer(await readServer(client));
      const { check, isCurrent } = await judgeMigrations(client);
      const largest = await listLargest(client);
      const checks = [...server, check, { name: "Largest tables", status: "info" as const, text: largest }];
      return { checks, isCurrent };
    });
  } catch (error) {
    const text = startFaultOf(error, url)?.message ?? (error as Error).message;
    return { checks: [{ name: "Server", status: "fail", text }], isCurrent: false };
  }
}

const gigabyte = 1e9;
const gigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`;

/** The versions of the programs, and the machine. */
export function describeMachine(version: string): DoctorCheck[] {
  const info = (name: string, text: string): DoctorCheck => ({ name, status: "info", text });
  return [
    info("Portal", version),
    info("Node.js", `${process.version}, ${process.platform} ${process.arch}`),
    info("System", `${os.version()} ${os.release()}, up ${(os.uptime() / 3_600).toFixed(1)} h`),
    info(
      "Processors",
      `${os.availableParallelism()}, load ${os
        .loadavg()
        .map((of) => of.toFixed(1))
        .join(" ")}`,
    ),
    info("Memory", `${gigabytes(os.freemem())} free of ${gigabytes(os.totalmem())}`),
    info("Clock", `${new Date().toISOString()}, zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`),
  ];
}

/** Below this share or size a warning is given, because the disk may soon be full. */
const low = { share: 0.1, bytes: 2 * gigabyte };
const least = { share: 0.03, bytes: 0.5 * gigabyte };

/** Checks the free space in a folder that the portal writes to. */
export async function checkDisk(name: string, folder: string): Promise<DoctorCheck> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const below = (limit: typeof low) => free < limit.bytes || free < limit.share * blocks * bsize;
    const status = below(least) ? "fail" : below(low) ? "warn" : "ok";
    return { name, status, text: `${folder}: ${gigabytes(free)} free of ${gigabytes(blocks * bsize)}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { name, status: "fail", text: `${folder}: cannot be written (${code})` };
  }
}

const logTail = 256 * 1024;
const shownLines = 3;

/**
 * Reports why the embedded PostgreSQL ended or ran out of space, without statements, which contain users' texts; nothing if it is another
 * server.
 */
export async function readPostgresLog(dataDir: string): Promise<DoctorCheck[]> {
  const name = "postgres.log";
  try {
    const lines = (await readFile(path.join(dataDir, name), "utf8"))
      .slice(-logTail)
      .split("\n")
      .filter((line) => /\b(FATAL|PANIC):|No space left/.test(line) && !line.includes("STATEMENT:"));
    const last = lines.slice(-shownLines);
    return last.length === 0
      ? [{ name, status: "ok", text: "nothing fatal of late" }]
      : last.map((text) => ({ name, status: "info" as const, text }));
  } catch {
    return [];
  }
}

/** The same threshold as the alert rules. */
const lateSeconds = 600;
const eventsMost = 100;

const since = (seconds: number) =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** Checks the pending work by age, and the last failures. */
export async function checkWork(db: Db): Promise<DoctorCheck[]> {
  const [{ jobs, calls, callsStuck, outbox, providerEvents }, ended, { lastError }] = await Promise.all([
    readBacklog(db),
    readJobFacts(db),
    readOutboxEnds(db),
  ]);
  const isLate = (seconds: number | null): DoctorStatus => ((seconds ?? 0) > lateSeconds ? "fail" : "ok");
  const oldest = (seconds: number | null) => (seconds === null ? "" : `, the oldest for ${since(seconds)}`);
  return [
    ...(jobs.length === 0 ? [{ name: "Jobs", status: "ok" as const, text: "none waits" }] : []),
    ...jobs.map(({ queue, waiting, oldestSeconds }) => ({
      name: `Jobs: ${queue}`,
      status: isLate(oldestSeconds),
      text: `${waiting} wait${oldest(oldestSeconds)}`,
    })),
    {
      name: "Jobs that failed",
      status: ended.failed > 0 ? "warn" : "ok",
      text: `${ended.failed} in the last hour${ended.lastFailedAt ? `; the last at ${ended.lastFailedAt.toISOString()}: ${ended.lastFailure}` : ""}`,
    },
    {
      name: "CRM outbox",
      status: isLate(outbox.oldestSeconds),
      text: `${outbox.waiting} wait${oldest(outbox.oldestSeconds)}${lastError ? `; last refused: ${lastError}` : ""}`,
    },
    ...providerEvents.map(({ source, lastSeconds, waiting }) => ({
      name: `Events: ${source}`,
      status: waiting > eventsMost ? ("fail" as const) : ("ok" as const),
      text: `${waiting} wait, the last came ${since(lastSeconds)} ago`,
    })),
    {
      name: "Calls",
      status: callsStuck > 0 ? "fail" : "ok",
      text: `${calls.reduce((sum, { live }) => sum + live, 0)} live, ${callsStuck} stuck`,
    },
  ];
}

/** Checks whether the encrypted values can be decrypted, and reports when the previous key is no longer needed. */
export async function checkSecrets(context: {
  db: Db;
  encryptionKeys: EncryptionKeys;
}): Promise<DoctorCheck> {
  const state = await readKeyState(context);
  const status = state.unreadable.length > 0 ? "fail" : state.previous > 0 ? "warn" : "ok";
  return { name: "Stored secrets", status, text: describeKeyState(state) };
}

/** Checks the last successful backup. */
export async function checkBackups(db: Db, everyHours: number | null): Promise<DoctorCheck[]> {
  const { last, failedAt, isOpen } = await readBackupState(db, everyHours);
  const schedule = everyHours === null ? "no schedule" : `every ${everyHours} h`;
  const words = last
    ? `${last.at}, ${(last.bytes / 1e6).toFixed(1)} MB, ${last.isEncrypted ? "encrypted" : "not encrypted"}`
    : "none";
  return [
    {
      name: "Last good backup",
      status: !isOpen ? "ok" : everyHours === null ? "warn" : "fail",
      text: `${words} (${schedule})`,
    },
    ...(failedAt ? [{ name: "Last backup", status: "warn" as const, text: `failed at ${failedAt}` }] : []),
  ];
}
