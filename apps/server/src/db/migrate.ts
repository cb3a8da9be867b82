import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { serverFolder } from "../place.ts";

const migrationLock = 4_702_001;

/**
 * Brings the schema up to date, once even when several processes start together: an advisory lock lets one in at a time.
 * All pending migrations run in one transaction, so a killed start leaves the old schema.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder: path.join(serverFolder, "src/db/migrations") });
  } finally {
    await client.end();
  }
}
