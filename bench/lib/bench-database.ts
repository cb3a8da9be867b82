import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/client.ts";
import { migrateDatabase } from "../../apps/server/src/platform/db/migrate.ts";
import { startPostgres } from "../../scripts/lib/postgres.ts";

/** SIGQUIT is PostgreSQL's own immediate shutdown; SIGKILL kills its server and all of its processes at once. */
export type DatabaseKill = "SIGQUIT" | "SIGKILL";

function kill(pid: number, how: DatabaseKill): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).map(Number);
  for (const each of how === "SIGKILL" ? [pid, ...children] : [pid]) {
    try {
      process.kill(each, how);
    } catch {
      // The process has already ended by itself.
    }
  }
}

/** Starts a PostgreSQL with fsync on an empty folder of its own, with the portal's tables. */
export const startBenchDatabase = async (): Promise<{
  url: string;
  database: Database;
  /** Ends the server without a checkpoint, and starts it again after a pause. Linux only. */
  killAndRestart: (how: DatabaseKill, pauseMs: number) => Promise<void>;
  stop: () => Promise<void>;
}> => {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-"));
  // The account that runs the server for root must be able to enter.
  chmodSync(dataDir, 0o755);
  let postgres = await startPostgres({ dataDir });
  await migrateDatabase(postgres.url);
  const database = openDatabase({ url: postgres.url, onError: () => undefined });
  return {
    url: postgres.url,
    database,
    async killAndRestart(how, pauseMs) {
      const { url } = postgres;
      kill(postgres.pid, how);
      while (postgres.isRunning()) await sleep(5);
      await sleep(pauseMs);
      postgres = await startPostgres({ dataDir });
      if (postgres.url !== url) throw new Error("PostgreSQL came back at another address");
    },
    stop: async () => {
      await database.close();
      await postgres.stop();
      for (const folder of [dataDir, postgres.where]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
