import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../lib/postgres.ts";
import { temporaryRoot } from "../testing/temporary-root.ts";

/**
 * A PostgreSQL without fsync in a temporary folder. When it is stopped, and also when this process is killed, the server ends and its files
 * are removed.
 */
export const startTestPostgres = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const dataDir = mkdtempSync(join(temporaryRoot(), "portal-test-"));
  // The account that runs the server for root must be able to enter.
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, fsync: false });
  const reaper = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "reaper.ts"),
      ...[String(postgres.pid), postgres.socketFolder, postgres.where, dataDir],
    ],
    { detached: true, stdio: ["pipe", "ignore", "inherit"] },
  );
  return {
    url: postgres.url,
    stop: async () => {
      const ended = once(reaper, "exit");
      reaper.stdin.end();
      await ended;
    },
  };
};
