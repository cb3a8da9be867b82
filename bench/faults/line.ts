import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { findLineFaults, summaryOf } from "../../apps/server/src/testing/line-truth.ts";
import {
  type KeyWork,
  ringAgain,
  type SeenLeg,
  workByKeys,
} from "../../apps/server/src/testing/work-by-keys.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { chances } from "../lib/session-worker.ts";
import { signIn } from "./consultant.ts";
import { listMade } from "./recordings.ts";

const speed = 20;
/** The portal is killed when this share of the leads was rung. */
const kills = [0.2, 0.45, 0.7];
const timeoutMs = 40 * 60_000;
const settleMs = 240_000;
/** A number of 1 or more would be a count; this means all. */
const always = 0.999999;
const areas = ["786", "407"];
/** Leads with this last digit hang up during the notice. */
const hangsUpEarly = "3";
const habits = {
  ...{ wrongKey: 0.05, suggested: 0.3, callBack: 0.1, brief: 0.05, correct: 0.05, pause: 0.05 },
  ...{ star: 0.02, hangUp: 0.005 },
};

async function killMeanwhile(
  { database, portal }: PortalOnSandbox,
  { leads, over }: { leads: number; over: AbortSignal },
): Promise<number> {
  let killed = 0;
  for (const share of kills) {
    while (!over.aborted) {
      const { rows } = await database.pool.query<{ n: number }>("select count(*)::int as n from calls");
      if ((rows[0]?.n ?? 0) >= share * leads) break;
      await sleep(100);
    }
    if (over.aborted) return killed;
    await sleep(Math.random() * 2_000);
    await portal.killAndRestart();
    killed += 1;
  }
  return killed;
}

/**
 * One consultant works through 120 leads on an open line, using only the keys of their phone, with 5 % of the provider's events dropped, 20
 * % repeated, all shuffled, and the portal killed three times. @returns whether each lead was rung once and never left alone, and each
 * outcome, call, recording and metric matches the provider's own record and the keys
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({ args: options, options: { leads: { type: "string", default: "120" } } });
  const leads = Number(values.leads);
  const startedAt = performance.now();
  const bench = await startPortalOnSandbox({ speed, callsPerSecond: speed });
  try {
    const { database, url, control } = bench;
    const phone = "+13055550100";
    const rep = await buildUser(database, { phone });
    for (let n = 0; n < leads; n += 1) {
      const number = `(${areas[Math.floor(n / 100)]}) 555-01${String(n % 100).padStart(2, "0")}`;
      const { phoneE164 } = await buildLead(database, { phone: number, assignedTo: rep.id });
      if (phoneE164?.endsWith(hangsUpEarly))
        await control("POST", "/phones", { number: phoneE164, script: { hangUpAfter: 1 } });
    }
    await control("POST", "/phones", { number: phone, mode: "manual" });
    const cookie = await signIn(url, rep);
    await control("POST", "/webhooks", { drop: 0.05, repeat: 0.2, shuffle: always });
    print(`1 consultant with ${leads} leads on an open line, time runs ${speed} times as fast …`);
    const started = await fetch(`${url}/api/dialer/start`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({
        source: { kind: "filter", status: "all" },
        lineMode: "open_line",
        delaySeconds: 3,
      }),
    });
    if (!started.ok) throw new Error(`Start answered ${started.status}`);
    const over = new AbortController();
    const killing = killMeanwhile(bench, { leads, over: over.signal });
    const deadline = Date.now() + timeoutMs;
    const work = await workByKeys({
      ...{ control, phone, chance: chances(1), habits },
      ringAgain: () => ringAgain({ url, cookie }),
      lookMs: 80,
      isLate: () => Date.now() > deadline,
    });
    over.abort();
    const killed = await killing;
    await bench.untilSettled(settleMs);
    return await report(bench, { phone, work, leads, killed, cookie, ms: performance.now() - startedAt });
  } finally {
    await bench.stop();
  }
}

async function report(
  bench: PortalOnSandbox,
  input: { phone: string; work: KeyWork; leads: number; killed: number; cookie: string; ms: number },
): Promise<boolean> {
  const { phone, work, leads, killed, cookie, ms } = input;
  const { calls: legs } = await bench.control<{ calls: SeenLeg[] }>("GET", "/calls");
  const { counts } = await bench.control<{ counts: Record<string, number> }>("GET", "/webhooks");
  const recordings = await listMade(bench.sandboxUrl);
  const faults = await findLineFaults(bench.database, { legs, work: new Map([[phone, work]]), recordings });
  const { rows } = await bench.database.pool.query<{ status: string; left: number }>(
    `select s.status, (select count(*)::int from dialer_items i where i.session_id = s.id and i.state <> 'done') as left from dialer_sessions s`,
  );
  faults.push(
    ...rows
      .filter(({ status, left }) => status !== "completed" || left > 0)
      .map((row) => `session ${JSON.stringify(row)}`),
  );
  const wanted = JSON.stringify(await summaryOf(bench.database, legs));
  const answer = await fetch(`${bench.url}/api/call-logs/summary`, { headers: { cookie } });
  const shown = JSON.stringify(await answer.json());
  if (shown !== wanted) faults.push(`the call history says ${shown} in place of ${wanted}`);
  const unheard = [...work.said.values()].filter(({ heard }) => !heard).length;
  print(`leads    ${leads}, given an outcome by key ${work.said.size}, without its words heard ${unheard}`);
  print(
    `keys     ${work.presses}, of which ${work.stars} ended a lead's part; the line was rung again ${work.rungAgain} times`,
  );
  print(
    `events   sent ${counts.sent}, dropped ${counts.dropped}, repeated ${counts.repeated}, shuffled ${counts.shuffled}`,
  );
  print(`recorded ${recordings.filter(({ status }) => status === "completed").length} at the provider`);
  print(`portal   killed ${killed} times`);
  print(`faults   ${faults.length}`);
  for (const fault of faults) print(`         ${fault}`);
  print(`${Math.round(ms / 1_000)} s`);
  return faults.length === 0 && work.said.size === leads && killed === kills.length;
}
