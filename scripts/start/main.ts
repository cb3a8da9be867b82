import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EnvError, readEnv } from "../../apps/server/src/env.ts";
import { loadEnvironment, root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { announce } from "./announce.ts";
import { ensureBuilt, type Target } from "./build.ts";
import { fillDemo } from "./fill-demo.ts";
import { ensureFreePort } from "./free-port.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { type Part, supervise } from "./part.ts";
import { type PostgresSupervisor, supervisePostgres } from "./postgres-supervisor.ts";

const running: { lock?: Lock; postgres?: PostgresSupervisor; sandbox?: Part; portal?: Part; web?: Part } = {};
const cancel = new AbortController();
/** `npm run dev`: Vite serves the web, and the portal restarts when its sources change. */
const isDev = process.argv.includes("--dev");
const devPort = 5173;

/** Reports all faults of the environment at once, before anything is built or started. */
const checkEnvironment = () => {
  const { DATABASE_URL } = process.env;
  const env = readEnv({ ...process.env, DATABASE_URL: DATABASE_URL || "postgresql://embedded" });
  return { ...env, databaseUrl: DATABASE_URL || null };
};

/** Waits for both, so that when one fails it is known what the other has started. */
const both = async (one: Promise<unknown>, other: Promise<unknown>): Promise<void> => {
  await Promise.allSettled([one, other]);
  await Promise.all([one, other]);
  cancel.signal.throwIfAborted();
};

/** The address by which this machine reaches a server that listens on the host. */
const localAddress = ({ host, port }: { host: string; port: number }): string => {
  const name = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
};

const start = async (): Promise<void> => {
  const startedAt = performance.now();
  const { dataDir } = loadEnvironment();
  const { port, sandboxPort, host, publicUrl, production, databaseUrl, demoHistory } = checkEnvironment();
  // The portal connects to the sandbox by the loopback address, whatever its own host is.
  const sandboxHost = host === "0.0.0.0" || host === "::" ? host : "127.0.0.1";

  const lock = acquireLock({ dataDir, address: publicUrl });
  running.lock = lock;
  const leftOver = lock.previous?.parts ?? [];
  await ensureFreePort({ variable: "PORT", port, host, leftOver });
  if (!production) {
    await ensureFreePort({ variable: "SANDBOX_PORT", port: sandboxPort, host: sandboxHost, leftOver });
  }

  /** Whether the embedded PostgreSQL never ran on this folder. */
  const isNew = !databaseUrl && !existsSync(join(dataDir, "postgres.log"));
  const startDatabase = async (): Promise<string> => {
    if (databaseUrl) return databaseUrl;
    running.postgres = await supervisePostgres({ dataDir, moved: () => running.portal?.restart() });
    return running.postgres.current().url;
  };
  const shared = {
    env: () => ({
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: dataDir,
      // Keeps compiled modules, which makes the next start faster.
      NODE_COMPILE_CACHE: join(dataDir, "compile-cache"),
      // Fewer allocator arenas for the threads save 15 MB at rest.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
      DATABASE_URL: databaseUrl ?? running.postgres?.current().url,
    }),
    started: () =>
      lock.record([running.portal?.pid(), running.sandbox?.pid()].filter((pid) => pid !== undefined)),
    gaveUp: (message: string) => {
      process.stderr.write(message);
      void end(1);
    },
  };
  /** Starts the sandbox and fills it and the database with the demo's history; neither needs built files. */
  const startSandbox = async (database: Promise<string>): Promise<void> => {
    if (production || cancel.signal.aborted) return;
    const sandbox = supervise({
      ...shared,
      name: "The sandbox",
      args: [join(root, "packages/sandbox/src/main.ts")],
      env: () => ({
        ...shared.env(),
        HOST: sandboxHost,
        SANDBOX_PORTAL_URL: process.env.SANDBOX_PORTAL_URL || publicUrl,
      }),
      probe: `http://127.0.0.1:${sandboxPort}/`,
    });
    running.sandbox = sandbox;
    if (!demoHistory) return;
    await fillDemo({
      env: shared.env(),
      isNew,
      database,
      sandbox: Promise.race([sandbox.up(), once(cancel.signal, "abort").then(() => undefined)]),
      signal: cancel.signal,
    });
  };

  const build = async (target: Target) => ensureBuilt({ root, target, signal: cancel.signal });
  const builds = both(build("web"), isDev ? Promise.resolve() : build("server"));
  const database = startDatabase();
  await both(
    database,
    builds.then(() => startSandbox(database)),
  );
  running.portal = supervise({
    ...shared,
    name: "The portal",
    args: isDev
      ? ["--watch", join(root, "apps/server/src/main.ts")]
      : [join(root, "apps/server/dist/main.js")],
    probe: `${localAddress({ host, port })}/api/health`,
  });
  if (isDev) {
    running.web = supervise({
      ...shared,
      name: "Vite",
      args: [join(root, "node_modules/vite/bin/vite.js"), join(root, "apps/web"), "--port", String(devPort)],
      probe: `http://localhost:${devPort}/`,
    });
  }
  shared.started();
  await Promise.race([
    both(running.portal.up(), running.sandbox?.up() ?? Promise.resolve()),
    new Promise((resolve) => cancel.signal.addEventListener("abort", resolve)),
  ]);
  cancel.signal.throwIfAborted();
  announce({
    address: isDev ? `http://localhost:${devPort}` : publicUrl,
    phones: production ? null : `http://localhost:${sandboxPort}`,
    dataDir,
    postgres: running.postgres?.current() ?? null,
    production,
    tookMs: performance.now() - startedAt,
  });
};

const report = (error: unknown): void => {
  if (cancel.signal.aborted) return;
  const isPlain = error instanceof PlainError || error instanceof EnvError;
  // Errors of the operating system (permissions, space) have a message of their own.
  const isSystem = error instanceof Error && "syscall" in error;
  const text =
    error instanceof Error && !isPlain && !isSystem ? error.stack : String((error as Error).message);
  process.stderr.write(`${text}\n`);
};

const starting = start().catch((error) => {
  report(error);
  void end(1);
});

/** Ends the parts in order, then this process. */
async function end(exitCode: number): Promise<void> {
  if (cancel.signal.aborted) return;
  cancel.abort();
  await starting;
  await running.web?.stop();
  await running.portal?.stop();
  await running.sandbox?.stop();
  await running.postgres?.stop();
  running.lock?.release();
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
// Only the script run by npm holds the other end.
process.stdin.resume().once("close", () => void end(1));
// The terminal may close before this process ends.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
