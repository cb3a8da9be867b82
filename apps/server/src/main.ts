import { flushCompileCache } from "node:module";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { buildApp, buildWorkerApp } from "./app.ts";
import { createDeps } from "./deps.ts";
import { EnvError, isProxyUnknown, readEnv } from "./env.ts";
import { startFaultOf } from "./platform/db/database-fault.ts";
import { ensureMetrics } from "./platform/db/metrics.ts";
import { ownerUrlOf, prepareSchema } from "./platform/db/migrate.ts";
import { seedDemo } from "./platform/db/seed-demo.ts";
import { startJobs } from "./start-jobs.ts";

/** Exit code of a configuration error (sysexits EX_CONFIG): the start script does not try again. */
const configurationExit = 78;
const supervised = process.env.START_PARENT_PIPE === "1";

function environment() {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(supervised ? configurationExit : 1);
  }
}

/** Log lines that wait in memory for a disk that is full; more are lost. */
const waitingLogBytes = 8 * 1024 * 1024;

/**
 * Log lines are buffered, because a write for each costs as much as a small response. What a full disk refuses is tried again with the next
 * lines; it neither ends the process nor keeps it from ending.
 */
function openLog() {
  const log = pino.destination({
    sync: false,
    minLength: 4_096,
    periodicFlush: 250,
    maxLength: waitingLogBytes,
  });
  let isRefused = false;
  log.on("error", () => {
    isRefused = true;
  });
  log.on("write", () => {
    isRefused = false;
  });
  // At the end the library would try for ever.
  const flush = log.flushSync.bind(log);
  log.flushSync = () => {
    if (!isRefused) flush();
  };
  process.stderr.on("error", () => undefined);
  return log;
}

const env = environment();
const log = pino(
  {
    level: env.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["req.headers.cookie", "req.headers.authorization"],
    serializers: {
      req: (request: { method: string; url: string; ip?: string }) => ({
        method: request.method,
        // Queries can hold names and numbers.
        path: request.url.split("?")[0],
        address: request.ip,
      }),
    },
  },
  openLog(),
);

/** How long to wait for a database that is down or starting; after that the process exits and its supervisor restarts it. */
const databaseMs = 15_000;

/** Runs the migrations. Waits for a database that does not respond yet, and says so on the console. */
async function prepareDatabase(): Promise<void> {
  const until = performance.now() + databaseMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await prepareSchema(env);
    } catch (error) {
      const fault = startFaultOf(error, ownerUrlOf(env));
      if (!fault?.passes || performance.now() > until) throw error;
      if (isFirst) process.stderr.write(`${fault.message} Waiting ${databaseMs / 1000} s for it.\n`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

const sweepMs = 50;
const shutdownMs = 9_000;
/** How long requests may take to end; the rest of the time is for jobs and the database. */
const graceMs = 8_000;

/**
 * Tracks the connections of an app before it listens. The returned function closes the app: it accepts no new connections, lets requests
 * under way finish, and closes each connection once it is idle, so that kept-alive browser connections do not delay the end.
 */
function watchConnections(app: FastifyInstance): () => Promise<void> {
  // Connections that browsers open in advance and never use: Node counts them as busy.
  const silent = new Set<Socket>();
  app.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  app.server.on("request", ({ socket }) => silent.delete(socket));

  return async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
    const closed = app.close();
    for (const socket of silent) socket.destroy();
    await closed.finally(() => clearInterval(sweep));
  };
}

/**
 * Prepares the shutdown of an app before it listens. The returned function ends the process, once: requests under way finish, then `close`
 * closes the rest; after 9 s the process exits regardless.
 */
function prepareGracefulShutdown(
  app: FastifyInstance,
  close: () => Promise<void>,
): (reason: string) => Promise<void> {
  const closeApp = watchConnections(app);
  let ending = false;
  return async (reason) => {
    if (ending) return;
    ending = true;
    app.log.info({ reason }, "portal ending");
    const overdue = setTimeout(() => process.exit(0), shutdownMs);
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    await closeApp();
    await close();
    clearTimeout(overdue);
    process.exit(0);
  };
}

async function start(): Promise<void> {
  await prepareDatabase();
  const deps = await createDeps(env, log);
  await ensureMetrics(deps.database, env.orgTimeZone);
  if (env.demo) await seedDemo(deps.database);
  // The queues are opened while the routes are registered, which shortens the start.
  const [app] = await Promise.all([
    env.roles.includes("web") ? buildApp(deps) : buildWorkerApp(deps),
    startJobs(deps),
  ]);
  const end = prepareGracefulShutdown(app, deps.close);
  await app.listen({ port: env.port, host: env.host });
  log.info({ url: env.publicUrl }, "portal listening");
  if (isProxyUnknown(env))
    log.warn(
      "PUBLIC_URL is https and TRUST_PROXY is 0: everybody has the address of the proxy, so one guesser's limits are everybody's. Set TRUST_PROXY to the number of proxies in front of the portal.",
    );

  process.on("SIGTERM", () => void end("SIGTERM"));
  process.on("SIGINT", () => void end("SIGINT"));
  // The start script holds the other end of this pipe: when it dies, even by SIGKILL, the portal ends too.
  if (supervised) process.stdin.resume().on("end", () => void end("parent ended"));

  // Node writes its compile cache only at a normal exit: without this a killed server would compile everything again at each start.
  flushCompileCache();
}

process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));

start().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === "EADDRINUSE";
  const fault = startFaultOf(error, env.databaseDirectUrl);
  const text = taken
    ? `Port ${env.port} is taken by another program. Set PORT to a free one.`
    : (fault?.message ?? error.stack);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
