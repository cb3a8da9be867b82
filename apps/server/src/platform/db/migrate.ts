import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { serverFolder } from "../../paths.ts";
import { holdLock } from "./advisory-locks.ts";
import { checkServerVersion } from "./start-fault.ts";

const connectMs = 5_000;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Brings the schema up to date, once even when several processes start together: an advisory lock lets one in at a time. The lock is a
 * transaction's, on a connection of its own: a pooler that lends connections by the transaction would leave a session's lock behind.
 * All pending migrations run in one transaction, so a killed start leaves the old schema. Errors: `StartFault` for too old a server.
 */
export async function migrateDatabase(url: string): Promise<void> {
  await withClient(url, async (holder) => {
    const { rows } = await holder.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    checkServerVersion(rows[0]?.version ?? 0);
    await holder.query("begin; set local idle_in_transaction_session_timeout = 0");
    await holdLock(holder, "migration");
    await withClient(url, (client) =>
      migrate(drizzle(client), { migrationsFolder: path.join(serverFolder, "src/platform/db/migrations") }),
    );
    await holder.query("commit");
  });
}
