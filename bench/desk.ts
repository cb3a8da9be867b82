import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Pool } from "pg";
import { freePort } from "../apps/server/src/testing/server-process.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { startDeskJobs } from "./lib/desk-jobs.ts";
import { addDeskPeople, type DeskPerson, endCalls } from "./lib/desk-people.ts";
import { account, startDeskProvider } from "./lib/desk-provider.ts";
import type { DeskLoad, DeskResult } from "./lib/desk-worker.ts";
import { addPeople, fill, lastNames } from "./lib/scale-data.ts";
import { startScalePortal } from "./lib/scale-portal.ts";
import { startService } from "./lib/service.ts";
import { quantile } from "./lib/table.ts";

const goals = { capacity: 1_000, ofBare: 0.6 };
const limitMs = 150;
const arrivalSeconds = 5;
const panels = 5;
const reports = 5;
const firstStep = 100;
const growth = 1.5;
/** Number of bisections between the last number that met the goal and the first that did not. */
const halvings = 3;
/** Kinds of requests for which nobody waits: the provider's callbacks, panels and reports are measured separately. */
const unattended = new Set(["webhook", "question", "panel", "report"]);

const whole = (value: number) => Math.round(value).toLocaleString("en");

interface Step {
  consultants: number;
  p95: number;
  perSecond: number;
  failures: number;
  result: DeskResult;
}

export async function measure(load: DeskLoad): Promise<Step> {
  const worker = new Worker(new URL("./lib/desk-worker.ts", import.meta.url), { workerData: load });
  const [result] = (await once(worker, "message")) as [DeskResult];
  await worker.terminate();
  const interactive = Object.entries(result.times).flatMap(([kind, times]) =>
    unattended.has(kind) ? [] : times,
  );
  const all = Object.values(result.times).reduce((sum, times) => sum + times.length, 0);
  return {
    consultants: load.people.filter(({ role }) => role === "consultant").length,
    p95: quantile(interactive, 0.95),
    perSecond: all / load.seconds,
    failures: Object.values(result.failures).reduce((sum, count) => sum + count, 0),
    result,
  };
}

const describe = ({ result, ...step }: Step) => {
  const kinds = Object.entries(result.times)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, times]) => `${kind} ${times.length}× ${Math.round(quantile(times, 0.95))}`);
  const failed = Object.entries(result.failures).map(([what, count]) => `${what}: ${count}`);
  return `  ${whole(step.consultants)} consultants: p95 ${Math.round(step.p95)} ms, ${whole(step.perSecond)} requests/s${failed.length ? `; FAILED ${failed.join(", ")}` : ""}\n    ${kinds.join(", ")}\n`;
};

/**
 * Increases the number of consultants until interactive requests take too long, then bisects. @returns the highest number that met the goal
 */
async function findCapacity(
  measureWith: (consultants: number) => Promise<Step>,
  most: number,
): Promise<Step | undefined> {
  let held: Step | undefined;
  let broke: number | undefined;
  const tryWith = async (consultants: number) => {
    const step = await measureWith(consultants);
    process.stderr.write(describe(step));
    if (step.p95 <= limitMs && step.failures === 0) held = step;
    else broke = consultants;
  };
  for (let next = firstStep; broke === undefined; next = Math.round(next * growth)) {
    await tryWith(Math.min(next, most));
    if (next >= most) break;
  }
  for (let left = halvings; left > 0 && held && broke !== undefined; left -= 1)
    await tryWith(Math.round((held.consultants + broke) / 2));
  return held;
}

/**
 * How many consultants can work at once: each with the leads page and its event stream open, a change of a lead every two minutes, a call
 * with its callbacks, outcome and timeline every 90 s, a search while typing and a timeline every minute, plus five panels and five
 * reports. Increases the number until the 95th percentile of interactive requests exceeds 150 ms, first on a bare server with the same
 * reads and writes, then on the portal. Each step on the portal also imports a file of 5,000 rows and syncs the CRM, except with `--jobs
 * off`. With `--rereads pages` browsers reload their page instead of the lead that an event names; with `--streams 1000` so many event
 * streams are open in each step, those of people who are not at work included.
 * @returns whether the goals are met
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: options,
    options: {
      leads: { type: "string", default: "100000" },
      most: { type: "string", default: "3000" },
      seconds: { type: "string", default: "20" },
      rereads: { type: "string", default: "lead" },
      jobs: { type: "string", default: "on" },
      streams: { type: "string", default: "0" },
      only: { type: "string" },
    },
  });
  const [leads, most, seconds] = [Number(values.leads), Number(values.most), Number(values.seconds)];
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const provider = await startDeskProvider();
  const jobs = values.jobs === "off" ? null : await startDeskJobs();
  try {
    await addPeople(database);
    await fill(databaseUrl, { leads: 0, calls: 0 }, { leads, calls: leads * 10 });
    const admins = panels + reports;
    const people = await addDeskPeople(pool, { admins, consultants: most, leads, secret: "bench".repeat(8) });
    await pool.query("set session_replication_role = origin");
    await pool.query("vacuum (analyze) leads, users, sessions");
    const [watching, working] = [people.slice(0, admins), people.slice(admins)];
    const measureAt = (url: string, isPortal: boolean) => async (consultants: number) => {
      await endCalls(pool);
      const step = measure({
        url,
        people: [...watching, ...working.slice(0, consultants)],
        listeners: working.slice(consultants, Number(values.streams) - admins),
        words: lastNames,
        rereads: values.rereads === "pages" ? "pages" : "lead",
        arrivalSeconds,
        seconds,
      } satisfies DeskLoad & { people: DeskPerson[] });
      if (!isPortal || !jobs) return step;
      // Once everybody is working.
      const done = sleep(arrivalSeconds * 1_000).then(() => jobs.run(url, watching[0]?.cookie ?? ""));
      const [measured, { imported, synced }] = await Promise.all([step, done]);
      process.stderr.write(
        `  meanwhile ${whole(imported)} leads imported, ${whole(synced)} contacts synced\n`,
      );
      return measured;
    };

    const sides: Record<string, () => Promise<{ url: string; stop: () => Promise<void> }>> = {
      bare: async () => {
        const port = await freePort();
        const url = `http://127.0.0.1:${port}`;
        const env = { PORT: String(port), DATABASE_URL: databaseUrl };
        const service = await startService({
          entry: "bench/lib/bare-desk.ts",
          env,
          probe: `${url}/api/health`,
        });
        return { url, stop: service.stop };
      },
      portal: async () => {
        const { url, service } = await startScalePortal(databaseUrl, {
          ...account,
          TWILIO_BASE_URL: provider.url,
          MARKET: "OPEN",
          ...jobs?.env,
        });
        return { url, stop: service.stop };
      },
    };
    const capacity = new Map<string, Step | undefined>();
    for (const [name, start] of Object.entries(sides)) {
      if (values.only && values.only !== name) continue;
      process.stderr.write(`${name}\n`);
      const side = await start();
      capacity.set(name, await findCapacity(measureAt(side.url, name === "portal"), most));
      await side.stop();
    }
    process.stdout.write(
      `desk with ${whole(leads)} leads, ${whole(leads * 10)} calls, browsers read ${values.rereads} again\n`,
    );
    for (const [name, step] of capacity)
      process.stdout.write(
        step ? `${name}: the most that held\n${describe(step)}` : `${name}: not even ${firstStep}\n`,
      );
    const [bare, portal] = [capacity.get("bare")?.consultants, capacity.get("portal")?.consultants ?? 0];
    if (bare)
      process.stdout.write(
        `ratio ${(portal / bare).toFixed(2)} (goal ${goals.ofBare}); capacity goal ${whole(goals.capacity)}\n`,
      );
    return portal >= goals.capacity && (bare === undefined || portal / bare >= goals.ofBare);
  } finally {
    provider.stop();
    await jobs?.stop();
    await pool.end();
    await stop();
  }
}
