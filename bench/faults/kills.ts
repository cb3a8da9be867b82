import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildUser } from "../../apps/server/src/testing/factories.ts";
import { SYSTEM_NUMBER } from "../../packages/sandbox/src/defaults.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { chances } from "../lib/session-worker.ts";
import { signIn } from "./consultant.ts";
import { type Acknowledged, findLedgerFaults } from "./ledger.ts";
import { seedPeople, writeMixed } from "./mixed-writes.ts";
import type { Tally } from "./send.ts";

const speed = 20;
/** Milliseconds between the recovery and the next kill. */
const pauses = { least: 300, most: 4_000 };
/** Maximum downtime of PostgreSQL. */
const databaseAwayMs = 2_000;
const readyPatienceMs = 60_000;
const settleMs = 120_000;
const faultsShown = 40;
/** On an otherwise idle machine the server is back within this time. */
const soonMs = 3_000;

/** Maximum time in ms for a clean shutdown, including a margin for a busy machine. */
const endMs = 10_500;

/** Durations in ms: from the kill of the server to health; from SIGTERM to the end; from PostgreSQL's return to readiness. */
interface Kills {
  server: number[];
  ends: number[];
  database: number[];
  faults: string[];
}

export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + readyPatienceMs; Date.now() < deadline; await sleep(20))
    if ((await fetch(`${url}/api/ready`).catch(() => null))?.ok) return;
  throw new Error(`the portal is not ready after ${seconds(readyPatienceMs)} s`);
}

/** Kills the server and the database at random times, one after the other, each after a full recovery. */
async function killMeanwhile(
  { url, portal, killDatabase, database }: PortalOnSandbox,
  chance: () => number,
  wanted: { server: number; database: number; ends: number },
): Promise<Kills> {
  const kills: Kills = { server: [], ends: [], database: [], faults: [] };
  const left = { ...wanted };
  for (; left.ends > 0; left.ends -= 1) {
    await sleep(pauses.least + chance() * (pauses.most - pauses.least));
    const signaledAt = performance.now();
    const code = await portal.end("SIGTERM");
    kills.ends.push(performance.now() - signaledAt);
    if (code !== 0) kills.faults.push(`on SIGTERM, the server ended with ${code}`);
    if (performance.now() - signaledAt > endMs) kills.faults.push("on SIGTERM, the server took too long");
    const { rows } = await database.pool.query("select name from jobs.job where state = 'active'");
    for (const { name } of rows) kills.faults.push(`a job of ${name} was not handed back`);
    await portal.restart();
  }
  while (left.server + left.database > 0) {
    await sleep(pauses.least + chance() * (pauses.most - pauses.least));
    const isServer = chance() * (left.server + left.database) < left.server;
    if (!portal.isRunning()) kills.faults.push("the server ended by itself");
    if (isServer) {
      left.server -= 1;
      const killedAt = performance.now();
      await portal.killAndRestart();
      kills.server.push(performance.now() - killedAt);
    } else {
      left.database -= 1;
      await killDatabase(chance() < 0.5 ? "SIGKILL" : "SIGQUIT", chance() * databaseAwayMs);
      const backAt = performance.now();
      if (!portal.isRunning()) {
        kills.faults.push("the server ended when the database was killed");
        await portal.killAndRestart();
      }
      await untilReady(url);
      kills.database.push(performance.now() - backAt);
    }
  }
  return kills;
}

/** Waits until no work is pending, or gives up and returns what is. */
export async function untilSettled({ database }: PortalOnSandbox): Promise<string[]> {
  let open = "";
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; await sleep(500)) {
    const { rows } = await database.pool.query<{ open: string }>(
      `select concat_ws(', ', (select count(*) || ' events' from provider_events where processed_at is null having count(*) > 0),
         (select count(*) || ' imports' from imports where state = 'running' having count(*) > 0),
         (select count(*) || ' texts' from messages where status in ('requested', 'queued', 'sending') having count(*) > 0),
         (select count(*) || ' calls' from calls where not settled having count(*) > 0),
         (select string_agg(distinct name, ', ') from jobs.job where state in ('created', 'retry'))) as open`,
    );
    open = rows[0]?.open ?? "";
    if (open === "") return [];
  }
  return [`still under way after ${seconds(settleMs)} s: ${open}`];
}

/** All SMS sent by the provider. */
export async function listSent({ control }: PortalOnSandbox): Promise<{ body: string }[]> {
  const { texts } = await control<{ texts: { from: string; body: string }[] }>("GET", "/texts");
  return texts.filter(({ from }) => from === SYSTEM_NUMBER);
}

export async function readReport({ url }: PortalOnSandbox, cookie: string) {
  const answer = await fetch(`${url}/api/reports/overview?range=all`, { headers: { cookie } });
  const report = (await answer.json()) as {
    totalCalls: { value: number };
    leadsCreated: number;
    conversions: number;
  };
  return { ...report, totalCalls: report.totalCalls.value };
}

/**
 * Consultants and vendors write at once while the server is killed (SIGKILL) and PostgreSQL is ended without a checkpoint at random times,
 * and both are started again. Every request is sent until it is acknowledged, some once more; then the database is checked by the bench's
 * own SQL. `--kills 50 --database-kills 10 --ends 0 --seed 1` (`--ends`: clean shutdowns by SIGTERM, before the others) @returns whether
 * each acknowledged write exists exactly once, and no work is left over
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: options,
    options: {
      kills: { type: "string", default: "50" },
      "database-kills": { type: "string", default: "10" },
      ends: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
    },
  });
  const wanted = {
    server: Number(values.kills),
    database: Number(values["database-kills"]),
    ends: Number(values.ends),
  };
  const seed = Number(values.seed);
  const startedAt = performance.now();
  const bench = await startPortalOnSandbox({ speed, callsPerSecond: speed });
  try {
    const admin = await buildUser(bench.database, { role: "admin" });
    const people = await seedPeople(bench);
    print(`${wanted.server} kills of the server, ${wanted.database} of PostgreSQL, seed ${seed} …`);
    const over = new AbortController();
    const writing = writeMixed(bench, people, { seed, over: over.signal });
    const killing = killMeanwhile(bench, chances(seed), wanted).finally(() => over.abort());
    const [{ acknowledged, tally }, kills] = await Promise.all([writing, killing]);
    const unsettled = await untilSettled(bench);
    const report = await readReport(bench, await signIn(bench.url, admin));
    const sent = await listSent(bench);
    const found = await findLedgerFaults(bench.database, { acknowledged, sent, report });
    const faults = [...kills.faults, ...tally.faults, ...unsettled, ...found];
    printResults({ acknowledged, tally, kills, faults, ms: performance.now() - startedAt });
    return faults.length === 0;
  } finally {
    await bench.stop();
  }
}

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => seconds(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  const soon = values.filter((ms) => ms <= soonMs).length;
  return `median ${at(0.5)} s, longest ${at(1)} s, ${soon} within ${soonMs / 1_000} s`;
}

function printResults(input: {
  acknowledged: Acknowledged;
  tally: Tally;
  kills: Kills;
  faults: string[];
  ms: number;
}): void {
  const { acknowledged, tally, kills, faults, ms } = input;
  const changes = [...acknowledged.changes.values()].reduce((sum, values) => sum + values.length, 0);
  const kinds = [...acknowledged.marks].map(([kind, marks]) => `${kind} ${marks.length}`);
  const later = Object.entries(tally.later).map(([status, count]) => `${count} × ${status}`);
  print(
    `requests sent ${tally.sent}, acknowledged ${tally.acknowledged}, without an answer ${tally.unanswered}, 429 ${later.join(", ") || 0}, repeated ${tally.repeated}`,
  );
  print(`writes   acknowledged: change ${changes}, ${kinds.join(", ")}`);
  print(`server   killed ${kills.server.length} times, healthy again after: ${spread(kills.server)}`);
  if (kills.ends.length > 0)
    print(`server   SIGTERM ${kills.ends.length} times, ended after: ${spread(kills.ends)}`);
  print(
    `database killed ${kills.database.length} times, portal ready after its return: ${spread(kills.database)}`,
  );
  print(`faults   ${faults.length}`);
  for (const fault of faults.slice(0, faultsShown)) print(`         ${fault}`);
  print(`${Math.round(ms / 1_000)} s`);
}
