import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/client.ts";
import { migrateDatabase } from "../../apps/server/src/platform/db/migrate.ts";
import { startPostgres } from "../../scripts/lib/postgres.ts";

/** SIGQUIT is PostgreSQL's own immediate shutdown; SIGKILL kills its server and all of its processes at once. */
export type DatabaseKill = "SIGQUIT" | "SIGKILL";

function signalEach(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended by itself.
    }
  }
}

/** A process and its children. */
const withChildren = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).map(Number),
];

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

export type BenchDatabase = Awaited<ReturnType<typeof startBenchDatabase>>;

/** Starts a PostgreSQL with fsync on an empty folder of its own (or in `where`), with the portal's tables. */
export const startBenchDatabase = async ({
  where = tmpdir(),
}: {
  where?: string;
} = {}): Promise<{
  url: string;
  database: Database;
  /** Ends the server without a checkpoint, and starts it again after a pause. Linux only. */
  killAndRestart: (how: DatabaseKill, pauseMs: number) => Promise<void>;
  /** Sends a signal to the server and all of its processes. Linux only. */
  signal: (signal: "SIGSTOP" | "SIGCONT") => void;
  isRunning: () => boolean;
  /** Starts the server again if it has ended by itself. @returns whether it had */
  revive: () => Promise<boolean>;
  /** Starts the server again with a library that is loaded before its own, and with the library's settings. Linux only. */
  preload: (library: string, settings?: Record<string, string>) => Promise<void>;
  stop: () => Promise<void>;
}> => {
  const dataDir = mkdtempSync(join(where, "portal-bench-"));
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
      signalEach(how === "SIGKILL" ? withChildren(postgres.pid) : [postgres.pid], how);
      while (postgres.isRunning()) await sleep(5);
      await sleep(pauseMs);
      postgres = await startPostgres({ dataDir });
      if (postgres.url !== url) throw new Error("PostgreSQL came back at another address");
    },
    // The server first: once stopped, it starts no further process.
    signal: (signal) => signalEach(withChildren(postgres.pid), signal),
    isRunning: () => postgres.isRunning(),
    async revive() {
      if (postgres.isRunning()) return false;
      postgres = await startPostgres({ dataDir });
      return true;
    },
    async preload(library, settings) {
      const [file = "", ...args] = readFileSync(`/proc/${postgres.pid}/cmdline`, "utf8")
        .split("\0")
        .slice(0, -1);
      const { socketFolder, where } = postgres;
      const { uid, gid } = statSync(where);
      await postgres.stop();
      mkdirSync(socketFolder, { mode: 0o700 });
      chownSync(socketFolder, uid, gid);
      const env = { PATH: process.env.PATH, TZ: "UTC", LD_PRELOAD: library, ...settings };
      spawn(file, args, { uid, gid, cwd: "/", env, detached: true, stdio: "ignore" }).unref();
      const pidFile = args[args.indexOf("-D") + 1];
      while (!/ready/.test(readIfThere(`${pidFile}/postmaster.pid`))) await sleep(20);
      // Adopts the running server.
      postgres = await startPostgres({ dataDir });
    },
    stop: async () => {
      await database.close();
      await postgres.stop();
      for (const folder of [dataDir, postgres.where]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
