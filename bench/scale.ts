import { parseArgs } from "node:util";
import { Client } from "pg";
import { freePort } from "../apps/server/src/testing/server-process.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { measureLoad } from "./lib/load.ts";
import { addPeople, fill, type Size } from "./lib/scale-data.ts";
import { signIn, startScalePortal } from "./lib/scale-portal.ts";
import { compareExport, compareReports } from "./lib/scale-reads.ts";
import { requestsOf } from "./lib/scale-requests.ts";
import { startService } from "./lib/service.ts";
import { median, type Row, tableOf } from "./lib/table.ts";

const sizes: Size[] = [
  { leads: 100_000, calls: 1_000_000 },
  { leads: 1_000_000, calls: 5_000_000 },
];
const connections = 8;
const rounds = 3;
const seconds = 1;
/** The first round is longer and not counted, because both sides are compiled during it. */
const warmSeconds = 4;

/** At 100,000 leads compared with the bare server; at a million, lists compared with their own rate at 100,000. */
const goals: Record<string, number> = {
  page: 0.8,
  filtered: 0.7,
  rep: 0.8,
  "lead by id": 0.6,
  PATCH: 0.5,
  "call log": 0.5,
};
const keepsGoal = 0.5;

const whole = (value: number) => Math.round(value).toLocaleString("en");
const inLeads = ({ leads }: Size) => `at ${whole(leads)} leads`;

/** @returns a row of ours against a baseline of the same kind; more is better */
function rateRow(work: string, ours: number, baseline: number, goal: number | undefined, unit = "/s"): Row {
  const ratio = ours / baseline;
  return {
    work,
    ours: `${whole(ours)}${unit}`,
    baseline: `${whole(baseline)}${unit}`,
    ratio: ratio.toFixed(2),
    goal: goal === undefined ? "" : `≥ ${goal}`,
    isMet: goal === undefined ? null : ratio >= goal,
  };
}

async function compareLoads(
  databaseUrl: string,
  size: Size,
  people: Awaited<ReturnType<typeof addPeople>>,
  known: Map<string, number>,
): Promise<Row[]> {
  const barePort = await freePort();
  const bareUrl = `http://127.0.0.1:${barePort}`;
  const bare = await startService({
    entry: "bench/lib/bare-leads.ts",
    env: { PORT: String(barePort), DATABASE_URL: databaseUrl },
    probe: `${bareUrl}/api/leads`,
  });
  const portal = await startScalePortal(databaseUrl);
  try {
    const admin = await signIn(portal.url, people.admin);
    const consultant = await signIn(portal.url, people.consultant);
    const rows: Row[] = [];
    for (const [work, requestsFor] of Object.entries(requestsOf)) {
      const headers = work === "rep" ? consultant : admin;
      const measure = (url: string, round: number) =>
        measureLoad({
          url,
          headers,
          connections,
          seconds: round === 0 ? warmSeconds : seconds,
          requests: requestsFor({ leads: size.leads, rep: people.consultant.id }),
        });
      const [ours, theirs, ratios]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round <= rounds; round += 1) {
        const theirRate = await measure(bareUrl, round);
        const ourRate = await measure(portal.url, round);
        if (round === 0) continue;
        theirs.push(theirRate);
        ours.push(ourRate);
        ratios.push(ourRate / theirRate);
      }
      const rate = median(ours);
      rows.push({
        ...rateRow(`${work} ${inLeads(size)}, bare`, rate, median(theirs), goals[work]),
        ratio: median(ratios).toFixed(2),
        isMet: goals[work] === undefined ? null : median(ratios) >= goals[work],
      });
      const before = known.get(work);
      if (before)
        rows.push(rateRow(`${work} ${inLeads(size)}, its own rate before`, rate, before, keepsGoal));
      known.set(work, rate);
    }
    return rows;
  } finally {
    await Promise.all([bare.stop(), portal.service.stop()]);
  }
}

/** Start and memory at rest, compared with a server that has only Fastify and pg. */
async function compareStart(databaseUrl: string): Promise<Row[]> {
  const [starts, bareStarts, memories, bareMemories]: number[][] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const startedAt = performance.now();
    const bare = await startService({
      entry: "bench/lib/bare-fastify.mjs",
      env: { PORT: String(port), DATABASE_URL: databaseUrl },
      probe: url,
      pollMs: 5,
    });
    bareStarts?.push(performance.now() - startedAt);
    bareMemories?.push(bare.memoryMb());
    await bare.stop();
    const portal = await startScalePortal(databaseUrl);
    starts?.push(portal.startMs);
    memories?.push(portal.service.memoryMb());
    await portal.service.stop();
  }
  const row = (work: string, ours = 0, baseline = 0, unit: string, goal: string, isMet: boolean): Row => ({
    work,
    ours: `${whole(ours)} ${unit}`,
    baseline: `${whole(baseline)} ${unit}`,
    ratio: (ours / baseline).toFixed(2),
    goal,
    isMet,
  });
  const [start, bareStart, memory, bareMemory] = [starts, bareStarts, memories, bareMemories].map((values) =>
    median(values ?? []),
  );
  return [
    row("start, Fastify + pg", start, bareStart, "ms", "≤ 3", (start ?? 0) <= 3 * (bareStart ?? 0)),
    row("memory at rest", memory, bareMemory, "MB", "≤ 150 MB", (memory ?? 0) <= 150),
  ];
}

/**
 * Pages, single leads, writes, reports and exports of a filled organization, each compared with the minimum that does the same in the same
 * run, first with 100,000 leads and 1,000,000 calls, then with ten and five times as many. `--leads` limits the number.
 * @returns whether every goal is met
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({ args: options, options: { leads: { type: "string" } } });
  const most = Number(values.leads ?? sizes.at(-1)?.leads);
  const { url, database, stop } = await startBenchDatabase();
  const rows: Row[] = [];
  const known = new Map<string, number>();
  const say = (text: string) => process.stderr.write(`${text}\n`);
  try {
    const people = await addPeople(database);
    const steps = sizes.filter(({ leads }) => leads <= most);
    if (steps.length === 0) steps.push({ leads: most, calls: most * 10 });
    let filled: Size = { leads: 0, calls: 0 };
    for (const size of steps) {
      const took = await fill(url, filled, size);
      say(`${whole(size.leads)} leads and ${whole(size.calls)} calls after ${Math.round(took)} s`);
      filled = size;
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        rows.push(...(await compareReports({ databaseUrl: url, client, size, admin: people.admin, known })));
        if (size === steps[0])
          rows.push(await compareExport({ databaseUrl: url, client, size, admin: people.admin }));
      } finally {
        await client.end();
      }
      say("reports and export measured");
      rows.push(...(await compareLoads(url, size, people, known)));
      if (size === steps[0]) rows.push(...(await compareStart(url)));
    }
  } finally {
    await stop();
  }
  process.stdout.write(
    `${connections} connections, medians of ${rounds} rounds in turns\n\n${tableOf(rows)}\n`,
  );
  return rows.every(({ isMet }) => isMet !== false);
}
