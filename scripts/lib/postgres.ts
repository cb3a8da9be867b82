import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PlainError } from "./plain-error.ts";
import { asAccount } from "./postgres-account.ts";
import { prepareBinaries } from "./postgres-binaries.ts";
import { databaseName, ensureCluster, postgresEnv, roleName } from "./postgres-cluster.ts";
import { findPostgresLocation, makeSocketFolder, type PostgresLocation } from "./postgres-location.ts";
import {
  acceptsConnections,
  clearDeadPostmaster,
  isPostmasterOf,
  type Postmaster,
  readPostmaster,
  stopPostmaster,
} from "./postmaster.ts";

/** A running embedded PostgreSQL. */
export type Postgres = {
  /** Connection string for `pg`. */
  url: string;
  /** The folder with the data. */
  where: string;
  /** The folder of the socket. */
  socketFolder: string;
  /** The process id of the server. */
  pid: number;
  /** True if the server was still running from a start that was killed. */
  adopted: boolean;
  /** Whether the server still runs. */
  isRunning(): boolean;
  /** Ends the server and waits for its end. */
  stop(): Promise<void>;
};

const largestLog = 10 * 1024 * 1024;

const openLog = (file: string): number => {
  if (existsSync(file) && statSync(file).size > largestLog) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
};

/** The log contains failed statements with their values: only the owner may read it, including a log of an earlier version. */
const closeLogToOthers = (file: string): void => {
  for (const log of [file, `${file}.1`]) if (existsSync(log)) chmodSync(log, 0o600);
};

const freePort = (): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
  return promise;
};

const waitUntilReady = async ({
  cluster,
  child,
}: {
  cluster: string;
  child: ChildProcess;
}): Promise<Postmaster | undefined> => {
  let ended = false;
  child.once("exit", () => {
    ended = true;
  });
  child.once("error", () => {
    ended = true;
  });
  while (!ended) {
    const found = readPostmaster(cluster);
    if (found?.ready && found.pid === child.pid && (await acceptsConnections(found))) return found;
    await sleep(10);
  }
  return undefined;
};

type Launch = {
  bin: string;
  cluster: string;
  place: PostgresLocation;
  logFile: string;
  fsync: boolean;
  port?: number;
};

/** A killed server leaves its locks until its process has ended, which may take a moment. */
const goneMs = 10_000;
const isLocked = /lock file "[^"]*" already exists/;

const launch = async (options: Launch): Promise<Postmaster> => {
  const until = Date.now() + goneMs;
  for (;;) {
    const started = await launchOnce(options);
    if (typeof started !== "string") return started;
    if (!isLocked.test(started) || Date.now() > until) {
      throw new PlainError(`PostgreSQL did not start. It said (${options.logFile}):\n${started}`);
    }
    await sleep(200);
  }
};

/** The running server, or its output if it did not start. */
const launchOnce = async ({
  bin,
  cluster,
  place,
  logFile,
  fsync,
  port,
}: Launch): Promise<Postmaster | string> => {
  const onWindows = process.platform === "win32";
  const settings: Record<string, string | number> = {
    listen_addresses: onWindows ? "127.0.0.1" : "",
    unix_socket_directories: onWindows ? "" : makeSocketFolder(place),
    unix_socket_permissions: "0700",
    port: port ?? (onWindows ? await freePort() : 5432),
    shared_buffers: "128MB",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(fsync
      ? { max_connections: 100 }
      : // Tests run many servers side by side, each with its own connections.
        { max_connections: 300, fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const log = openLog(logFile);
  const logStart = statSync(logFile).size;
  const child = spawn(
    join(bin, "postgres"),
    ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // A process group of its own: Ctrl-C in the terminal is handled by the start script, which ends the parts in order.
    {
      ...asAccount(place.account),
      cwd: "/",
      env: postgresEnv(),
      detached: !onWindows,
      stdio: ["ignore", log, log],
    },
  );
  child.unref();
  closeSync(log);
  const running = await waitUntilReady({ cluster, child });
  if (running) return running;
  return readFileSync(logFile).subarray(logStart).toString().trim();
};

/** A server of this cluster that still runs and responds; one that runs but is unreachable is ended. */
const adopt = async ({ bin, cluster }: { bin: string; cluster: string }): Promise<Postmaster | undefined> => {
  for (let found = readPostmaster(cluster); found; found = readPostmaster(cluster)) {
    if (!isPostmasterOf({ pid: found.pid, cluster })) break;
    if (!found.ready) {
      await sleep(50);
      continue;
    }
    if (await acceptsConnections(found)) return found;
    await stopPostmaster({ pid: found.pid, cluster, bin });
  }
  await clearDeadPostmaster(cluster);
  return undefined;
};

const readPassword = (dataDir: string): string => {
  const file = join(dataDir, "postgres.password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
};

const urlOf = ({ port, socketFolder }: Postmaster, password: string | undefined): string => {
  if (password) return `postgresql://${roleName}:${password}@127.0.0.1:${port}/${databaseName}`;
  return `postgresql://${roleName}@localhost:${port}/${databaseName}?host=${encodeURIComponent(socketFolder)}`;
};

/**
 * Starts the embedded PostgreSQL on the data folder, or adopts a server that still runs there. It listens on a Unix socket that only its
 * own account can reach; on Windows on a loopback port with a password.
 * @param fsync false only for data that may be lost (tests).
 * Errors: `PlainError` with instructions if it cannot run.
 */
export const startPostgres = async (options: {
  dataDir: string;
  fsync?: boolean;
  port?: number;
}): Promise<Postgres> => {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  const password = process.platform === "win32" ? readPassword(dataDir) : undefined;
  const place = findPostgresLocation({ dataDir });
  const bin = join(prepareBinaries({ account: place.account }), "bin");
  const cluster = await ensureCluster({ bin, place, ...(password ? { password } : {}) });
  const logFile = join(dataDir, "postgres.log");
  closeLogToOthers(logFile);
  const adopted = await adopt({ bin, cluster });
  const running =
    adopted ??
    (await launch({
      bin,
      cluster,
      place,
      logFile,
      fsync: options.fsync ?? true,
      ...(options.port ? { port: options.port } : {}),
    }));
  return {
    url: urlOf(running, password),
    where: place.folder,
    socketFolder: running.socketFolder,
    pid: running.pid,
    adopted: adopted !== undefined,
    isRunning: () => isPostmasterOf({ pid: running.pid, cluster }),
    stop: async () => {
      await stopPostmaster({ pid: running.pid, cluster, bin });
      if (running.socketFolder) rmSync(running.socketFolder, { recursive: true, force: true });
    },
  };
};
