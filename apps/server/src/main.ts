import { hashPassword } from "better-auth/crypto";
import { pino } from "pino";
import { buildApp } from "./app.ts";
import { migrateDatabase } from "./db/migrate.ts";
import { seedDemo } from "./db/seed-demo.ts";
import { createDeps } from "./deps.ts";
import { EnvError, readEnv } from "./env.ts";
import { watchConnections } from "./http/gentle-close.ts";
import { startJobs } from "./start-jobs.ts";

/** Tells the start script that another try is of no use (sysexits EX_CONFIG). */
const configurationExit = 78;
const shutdownMs = 9_000;
/** Requests have so long to end; the rest of the time is for jobs and database. */
const graceMs = 8_000;
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
  // Lines are gathered: a write for each would cost as much as a small answer.
  pino.destination({ sync: false, minLength: 4_096, periodicFlush: 250 }),
);

async function connected<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const waits = /ECONNREFUSED|ENOENT|starting up|shutting down/.test(
        String((error as Error).message ?? error),
      );
      if (attempt === 30 || !waits) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function start(): Promise<void> {
  await connected(() => migrateDatabase(env.databaseUrl));
  const deps = await createDeps(env, log);
  if (env.demo) await seedDemo(deps.database, hashPassword);
  // The queues are opened while the routes are laid out.
  const [app] = await Promise.all([buildApp(deps), startJobs(deps)]);
  const close = watchConnections(app);
  await app.listen({ port: env.port, host: env.host });
  log.info({ url: env.publicUrl }, "portal listening");

  let ending = false;
  const end = async (reason: string) => {
    if (ending) return;
    ending = true;
    log.info({ reason }, "portal ending");
    const overdue = setTimeout(() => process.exit(0), shutdownMs);
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    await close();
    await deps.close();
    clearTimeout(overdue);
    process.exit(0);
  };
  process.on("SIGTERM", () => void end("SIGTERM"));
  process.on("SIGINT", () => void end("SIGINT"));
  // The start script holds the other end of this pipe: when it dies, even by SIGKILL, the portal ends too.
  if (supervised) process.stdin.resume().on("end", () => void end("parent ended"));
}

process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled rejection"));

start().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === "EADDRINUSE";
  const text = taken ? `Port ${env.port} is taken by another program. Set PORT to a free one.` : error.stack;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
