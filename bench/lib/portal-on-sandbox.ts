import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../apps/server/src/platform/db/client.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { type BenchDatabase, type DatabaseKill, startBenchDatabase } from "./bench-database.ts";
import { portalProcess, type Service, startService } from "./service.ts";

export interface PortalOnSandbox {
  url: string;
  sandboxUrl: string;
  databaseUrl: string;
  database: Database;
  portal: Service;
  /** Starts another portal with the same settings but these, at an address of its own. */
  startAnother(env?: Record<string, string>): Promise<{ url: string; portal: Service }>;
  /** Ends PostgreSQL without a checkpoint and starts it again. */
  killDatabase(how: DatabaseKill, pauseMs: number): Promise<void>;
  /** The sandbox's control API. */
  control<T>(method: string, path: string, body?: object): Promise<T>;
  /** Waits until every call is settled, every event processed and every call's recording known, or until `timeoutMs` have passed. */
  untilSettled(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the portal and the sandbox as processes of their own on an empty database; the sandbox's time runs `speed` times as fast. */
export async function startPortalOnSandbox(options: {
  speed: number;
  callsPerSecond: number;
  /** Starts another database than the bench's own. */
  startDatabase?: () => Promise<Pick<BenchDatabase, "url" | "database" | "killAndRestart" | "stop">>;
  /** Settings in addition to the bench's own, which they override. */
  env?: Record<string, string>;
  /** Options of the portal's Node in addition to those of `npm start`. */
  nodeOptions?: string[];
  /** Starts a proxy before the portal, whose address is the portal's public one. */
  startProxy?: (portalUrl: string) => Promise<{ url: string; stop(): Promise<void> }>;
  /** Starts a proxy of the sandbox, which the portal uses instead. */
  startProvider?: (sandboxUrl: string) => Promise<{ port: number; stop(): Promise<void> }>;
  /** Settings of the portal alone that depend on the sandbox's address. */
  portalEnv?: (sandboxUrl: string) => Record<string, string>;
  /** How the portal's process is run; see `startService`. */
  run?: { under?: readonly string[]; log?: string };
}): Promise<PortalOnSandbox> {
  const { startDatabase = startBenchDatabase } = options;
  const { url: databaseUrl, database, killAndRestart, stop: stopDatabase } = await startDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const proxy = await options.startProxy?.(url);
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: proxy?.url ?? url,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PORTAL_URL: proxy?.url ?? url,
    SANDBOX_SPEED: String(options.speed),
    SANDBOX_SEED_LEADS: "1",
    DATA_DIR: dataDir,
    TWILIO_CPS: String(options.callsPerSecond),
    LOG_LEVEL: "fatal",
    NODE_ENV: "test",
    MARKET: "OPEN",
    ...options.env,
  };
  const provider = await options.startProvider?.(sandboxUrl);
  const portalEnv = { ...env, ...(provider && { SANDBOX_PORT: String(provider.port) }) };
  const services: Service[] = [];
  const stop = async () => {
    for (const service of services.toReversed()) await service.stop();
    await proxy?.stop();
    await provider?.stop();
    await stopDatabase();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const probe = `${sandboxUrl}/health`;
    services.push(await startService({ entry: "packages/sandbox/src/main.ts", env, probe }));
    const nodeOptions = [...portalProcess.nodeOptions, ...(options.nodeOptions ?? [])];
    const portal = await startService({
      ...portalProcess,
      nodeOptions,
      ...options.run,
      env: { ...portalEnv, ...options.portalEnv?.(sandboxUrl) },
      probe: `${url}/api/health`,
    });
    services.push(portal);
    return {
      url,
      sandboxUrl,
      databaseUrl,
      database,
      portal,
      async startAnother(more = {}) {
        const anotherPort = String(await freePort());
        const anotherUrl = `http://127.0.0.1:${anotherPort}`;
        const another = await startService({
          ...portalProcess,
          nodeOptions,
          env: { ...portalEnv, PORT: anotherPort, ...more },
          probe: `${anotherUrl}/api/health`,
        });
        services.push(another);
        return { url: anotherUrl, portal: another };
      },
      killDatabase: killAndRestart,
      async control<T>(method: string, path: string, body?: object) {
        const answer = await fetch(`${sandboxUrl}/control${path}`, {
          method,
          ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        });
        return (await answer.json()) as T;
      },
      async untilSettled(timeoutMs) {
        const deadline = Date.now() + timeoutMs;
        while (Date.now() < deadline) {
          const { rows } = await database.pool.query<{ open: number }>(
            `select (select count(*) from calls where not settled)::int
               + (select count(*) from provider_events where processed_at is null)::int
               + (select count(*) from calls c where c.result in ('answered', 'voicemail') and not exists (select 1 from recordings r
                   where r.call_id = c.id and r.status in ('completed', 'absent')))::int as open`,
          );
          if (rows[0]?.open === 0) return;
          await sleep(500);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
