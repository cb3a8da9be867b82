import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/client.ts";
import { migrateDatabase } from "../../apps/server/src/platform/db/migrate.ts";
import { startPostgres } from "../../scripts/lib/postgres.ts";

/** A PostgreSQL with fsync on an empty folder of its own, with the portal's tables. */
export const startBenchDatabase = async (): Promise<{
  url: string;
  database: Database;
  stop: () => Promise<void>;
}> => {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-"));
  // The account that the server runs under for root must be able to enter.
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir });
  await migrateDatabase(postgres.url);
  const database = openDatabase({ url: postgres.url, onError: () => undefined });
  return {
    url: postgres.url,
    database,
    stop: async () => {
      await database.close();
      await postgres.stop();
      for (const folder of [dataDir, postgres.where]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
