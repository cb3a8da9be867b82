import type pg from "pg";
import { startFaultOf } from "../../platform/db/database-fault.ts";
import { readMigrationState, withClient } from "../../platform/db/migrate.ts";
import type { DoctorCheck } from "./types.ts";

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
