import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { freePort, startService } from "./lib/service.ts";

const goal = 0.6;
const rounds = 15;
/** Not counted: both servers compile what they use. */
const warmUps = 2;
const callsPerRound = 200;
const connections = 8;
const accountSid = `AC${"1".padStart(32, "0")}`;
const authToken = "sandbox-auth-token";
const statuses = ["initiated", "ringing", "in-progress", "completed"];

interface Hook {
  path: string;
  body: string;
  signature: string;
}

/** One live call, lead and consultant for each id, so that no event is worked in vain. */
async function seedCalls(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into users (id, name, email, role) select n, 'Person ' || n, 'person' || n || '@example.com', 'consultant'
     from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into leads (id, name, search, assigned_to) select n, 'Lead ' || n, '', n from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query(
    `insert into calls (id, lead_id, user_id, rep_number, rep_line, lead_number, press_one, call_sid, asked_at)
     select n, n, n, '+13055550101', 'personal', '+1786555' || lpad(n::text, 4, '0'), true, 'CA' || lpad(n::text, 32, '0'), now()
     from generate_series(1, $1::int) n`,
    [count],
  );
}

/** The four status callbacks of each call, signed as Twilio does (twilio.com/docs/usage/webhooks/webhooks-security). */
function signedHooks(url: string, firstCall: number): Hook[] {
  return Array.from({ length: callsPerRound * statuses.length }, (_value, index) => {
    const call = firstCall + Math.floor(index / statuses.length);
    const params: Record<string, string> = {
      AccountSid: accountSid,
      ApiVersion: "2010-04-01",
      CallSid: `CA${String(call).padStart(32, "0")}`,
      CallStatus: statuses[index % statuses.length] ?? "",
      CallbackSource: "call-progress-events",
      Direction: "outbound-api",
      From: "+12125550100",
      SequenceNumber: String(index % statuses.length),
      Timestamp: new Date().toUTCString().replace("GMT", "+0000"),
      To: "+13055550101",
    };
    const path = `/api/twilio/voice/rep-status?call=${call}`;
    const signed = Object.keys(params)
      .sort()
      .reduce((text, name) => text + name + params[name], `${url}${path}`);
    const signature = createHmac("sha1", authToken).update(signed).digest("base64");
    return { path, body: new URLSearchParams(params).toString(), signature };
  });
}

function post(agent: Agent, url: string, { path, body, signature }: Hook): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
          "x-twilio-signature": signature,
        },
      },
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

/** @returns seconds until the portal has worked all it stored */
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
 * The row "provider webhooks" of the performance goals: signed status callbacks per second through the real app, which works
 * them meanwhile, against node:http and pg doing the same insert. Both in one run, in turns. @returns whether the goal is met
 */
export async function run(): Promise<boolean> {
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const [port, barePort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const { pool } = database;
  try {
    await seedCalls(pool, callsPerRound * (warmUps + rounds));
    await pool.query("create table bare_events (like provider_events including all)");
    const bare = await startService({
      entry: "bench/lib/bare-webhooks.ts",
      env: { PORT: String(barePort), DATABASE_URL: databaseUrl },
      probe: bareUrl,
    });
    const portal = await startService({
      entry: "apps/server/src/main.ts",
      env: {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        PUBLIC_URL: url,
        // Nobody answers there: the portal is told, and asks nobody.
        SANDBOX_PORT: String(sandboxPort),
        NODE_ENV: "test",
      },
      probe: `${url}/api/health`,
    });
    const [portalRates, bareRates, drains]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const hooks = signedHooks(url, 1 + round * callsPerRound);
      const bareRate = await measure(bareUrl, hooks);
      const portalRate = await measure(url, hooks);
      const drain = await untilWorked(pool);
      if (round < warmUps) continue;
      bareRates.push(bareRate);
      portalRates.push(portalRate);
      drains.push(drain);
    }
    await Promise.all([bare.stop(), portal.stop()]);
    // Each round by itself: whatever else the machine did meanwhile weighed on both sides of it.
    const ratio = median(portalRates.map((rate, round) => rate / (bareRates[round] ?? 0)));
    const figures = (rates: number[]) => rates.map((rate) => Math.round(rate)).join(", ");
    process.stdout.write(
      [
        `provider webhooks, events per second over ${connections} connections, ${rounds} rounds`,
        `  portal  ${figures(portalRates)}  (signature, stored, answered; worked ${median(drains).toFixed(1)} s after the last)`,
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
