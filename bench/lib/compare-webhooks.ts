import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { startBenchDatabase } from "./bench-database.ts";
import { portalProcess, startService } from "./service.ts";

const goal = 0.6;
export const rounds = 15;
/** Not counted, because both servers compile the code they use. */
export const warmUps = 2;
const connections = 8;

export interface Hook {
  path: string;
  body: string;
  headers: Record<string, string>;
}

function post(agent: Agent, url: string, { path, body, headers }: Hook): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      { agent, method: "POST", headers: { ...headers, "content-length": Buffer.byteLength(body) } },
      (answer) => {
        answer.resume().on("end", () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`${url} answered ${answer.statusCode}`));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** @returns events acknowledged per second over the connections of one agent */
async function measure(url: string, hooks: Hook[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = [...hooks];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let hook = waiting.shift(); hook; hook = waiting.shift()) await post(agent, url, hook);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return hooks.length / seconds;
}

/** @returns seconds until the portal has processed all stored events */
async function untilWorked(pool: Pool): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ open: number }>(
      "select count(*)::int as open from provider_events where processed_at is null",
    );
    if (rows[0]?.open === 0) return (performance.now() - startedAt) / 1_000;
    await sleep(100);
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Webhooks per second through the real app, which processes them meanwhile, against node:http and pg doing the same insert
 * (`bare-webhooks`). Both in one run, alternately. @returns whether the goal is met
 */
export async function compareWebhooks(bench: {
  name: string;
  seed: (pool: Pool) => Promise<void>;
  /** The requests of a round to the portal at `url`. */
  hooksOf: (url: string, round: number) => Hook[];
}): Promise<boolean> {
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const [port, barePort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const { pool } = database;
  try {
    await bench.seed(pool);
    await pool.query("create table bare_events (like provider_events including all)");
    const bare = await startService({
      entry: "bench/lib/bare-webhooks.ts",
      env: { PORT: String(barePort), DATABASE_URL: databaseUrl },
      probe: bareUrl,
    });
    const portal = await startService({
      ...portalProcess,
      env: {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        PUBLIC_URL: url,
        // Nothing listens there: the portal only receives events and sends no requests.
        SANDBOX_PORT: String(sandboxPort),
        NODE_ENV: "test",
      },
      probe: `${url}/api/health`,
    });
    const [portalRates, bareRates, drains]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const hooks = bench.hooksOf(url, round);
      const bareRate = await measure(bareUrl, hooks);
      const portalRate = await measure(url, hooks);
      const drain = await untilWorked(pool);
      if (round < warmUps) continue;
      bareRates.push(bareRate);
      portalRates.push(portalRate);
      drains.push(drain);
    }
    await Promise.all([bare.stop(), portal.stop()]);
    // The ratio of each round by itself, because other load on the machine affected both sides of it.
    const ratio = median(portalRates.map((rate, round) => rate / (bareRates[round] ?? 0)));
    const figures = (rates: number[]) => rates.map((rate) => Math.round(rate)).join(", ");
    process.stdout.write(
      [
        `${bench.name}, events per second over ${connections} connections, ${rounds} rounds`,
        `  portal  ${figures(portalRates)}  (checked, stored, answered; worked ${median(drains).toFixed(1)} s after the last)`,
        `  bare    ${figures(bareRates)}  (the same insert)`,
        `  ratio   ${ratio.toFixed(2)}  (goal ${goal})`,
        "",
      ].join("\n"),
    );
    return ratio >= goal;
  } finally {
    await stop();
  }
}
