import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { root } from "../../scripts/lib/environment.ts";
import { measure } from "../desk.ts";
import { startBenchDatabase } from "../lib/bench-database.ts";
import { addDeskPeople, endCalls } from "../lib/desk-people.ts";
import { account, startDeskProvider } from "../lib/desk-provider.ts";
import { print } from "../lib/print.ts";
import { addPeople, fill, lastNames } from "../lib/scale-data.ts";
import { startScalePortal } from "../lib/scale-portal.ts";
import { quantile } from "../lib/table.ts";

const goals = { slopeMbPer10Min: 1, loopMs: 50, failedShare: 0.001 };
/** Each round has its own connections and event streams, because people come and go. */
const roundSeconds = 120;
/** Memory still grows while code is compiled and caches fill. */
const warmUpMinutes = 10;
const sampleMs = 10_000;
const panels = 10;
const metricsToken = "bench".repeat(8);

interface Sample {
  minute: number;
  /** Resident memory. */
  memoryMb: number;
  descriptors: number;
  connections: number;
}

/** Between two rounds. */
interface Rest extends Sample {
  /** What is left in memory after garbage was collected. */
  inUseMb: number;
}

/** The slope of the least squares line through the points. */
function slopeOf(points: { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

/** Reads a metric from the portal's /metrics. */
async function readMetric(url: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await answer.text())?.[1]);
}

/**
 * An hour of 20 consultants and ten administrators at work, as in `desk`, in rounds of two minutes. `--minutes 60 --consultants 20`
 * @returns whether memory grows by no more than 1 MB in ten minutes after the first ten, descriptors and connections return to what they
 * were, the event loop's 99th percentile stays within 50 ms and fewer than 0.1 % of the requests fail
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: options,
    options: {
      minutes: { type: "string", default: "60" },
      consultants: { type: "string", default: "20" },
      leads: { type: "string", default: "20000" },
    },
  });
  const [minutes, consultants, leads] = [values.minutes, values.consultants, values.leads].map(Number) as [
    number,
    number,
    number,
  ];
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: "bench" });
  const provider = await startDeskProvider();
  try {
    await addPeople(database);
    await fill(databaseUrl, { leads: 0, calls: 0 }, { leads, calls: leads * 10 });
    const people = await addDeskPeople(pool, {
      admins: panels,
      consultants,
      leads,
      secret: "bench".repeat(8),
    });
    await pool.query("set session_replication_role = origin");
    await pool.query("vacuum (analyze) leads, users, sessions");
    const { url, service } = await startScalePortal(
      databaseUrl,
      { ...account, TWILIO_BASE_URL: provider.url, MARKET: "OPEN", METRICS_TOKEN: metricsToken },
      ["--expose-gc", "--import", join(root, "bench/lib/collect-garbage.mjs")],
    );
    const startedAt = performance.now();
    const minute = () => (performance.now() - startedAt) / 60_000;
    const samples: Sample[] = [];
    const over = new AbortController();
    const sampling = (async () => {
      while (!over.signal.aborted) {
        const { rows } = await pool.query<{ n: number }>(
          "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name <> 'bench'",
        );
        samples.push({
          minute: minute(),
          memoryMb: service.memoryMb(),
          descriptors: service.descriptors(),
          connections: rows[0]?.n ?? 0,
        });
        await sleep(sampleMs, undefined, { signal: over.signal }).catch(() => undefined);
      }
    })();
    const atRest: Rest[] = [];
    const loops: number[] = [];
    let [asked, failed] = [0, 0];
    try {
      while (minute() < minutes) {
        await endCalls(pool);
        await readMetric(url, "nodejs_eventloop_lag_p99_seconds");
        const step = await measure({
          ...{ url, people, words: lastNames, rereads: "lead", arrivalSeconds: 5, seconds: roundSeconds },
        });
        const loopMs = 1_000 * (await readMetric(url, "nodejs_eventloop_lag_p99_seconds"));
        loops.push(loopMs);
        asked += Object.values(step.result.times).reduce((sum, times) => sum + times.length, 0);
        failed += step.failures;
        // The connections of the round are closed by then, and the server has ended their streams.
        await sleep(2_000);
        const last = samples.at(-1);
        if (!last) throw new Error("no sample was taken");
        process.kill(service.pid(), "SIGUSR2");
        await sleep(2_000);
        const inUse = await Promise.all(
          ["nodejs_heap_size_used_bytes", "nodejs_external_memory_bytes"].map((name) =>
            readMetric(url, name),
          ),
        );
        const rest = {
          ...last,
          minute: minute(),
          inUseMb: inUse.reduce((sum, bytes) => sum + bytes / 2 ** 20, 0),
          descriptors: service.descriptors(),
        };
        atRest.push(rest);
        print(
          `${rest.minute.toFixed(1).padStart(5)} min: ${Math.round(rest.memoryMb)} MB, ${rest.inUseMb.toFixed(1)} in use, ${rest.descriptors} descriptors at rest, ${rest.connections} connections, p95 ${Math.round(step.p95)} ms, p99 ${Math.round(quantile(Object.values(step.result.times).flat(), 0.99))} ms, event loop p99 ${Math.round(loopMs)} ms, ${step.failures} failed of ${Math.round(step.perSecond * roundSeconds)}`,
        );
        for (const [what, count] of Object.entries(step.result.failures)) print(`       ${what}: ${count}`);
      }
    } finally {
      over.abort();
      await sampling;
      await service.stop();
    }
    return judge({ samples, atRest, loops, asked, failed });
  } finally {
    provider.stop();
    await pool.end();
    await stop();
  }
}

function judge(input: {
  samples: Sample[];
  atRest: Rest[];
  loops: number[];
  asked: number;
  failed: number;
}): boolean {
  const { samples, atRest, loops, asked, failed } = input;
  const warm = samples.filter(({ minute }) => minute >= warmUpMinutes);
  const warmAtRest = atRest.filter(({ minute }) => minute >= warmUpMinutes);
  const resident = 10 * slopeOf(warm.map(({ minute, memoryMb }) => ({ x: minute, y: memoryMb })));
  // Between two collections of garbage resident memory grows and falls by more than a leak would make of it in an hour.
  const slope = 10 * slopeOf(warmAtRest.map(({ minute, inUseMb }) => ({ x: minute, y: inUseMb })));
  const descriptors = warmAtRest.map((rest) => rest.descriptors);
  const connections = warm.map((sample) => sample.connections);
  const loopMs = quantile(loops, 0.5);
  const grown = (descriptors.at(-1) ?? 0) - (descriptors[0] ?? 0);
  const share = failed / Math.max(1, asked);
  print(
    `memory      ${slope.toFixed(2)} MB more in ten minutes in use (goal ${goals.slopeMbPer10Min}), ${resident.toFixed(2)} MB resident`,
  );
  print(
    `descriptors at rest ${Math.min(...descriptors)} to ${Math.max(...descriptors)}, ${grown} more at the end`,
  );
  print(`connections to PostgreSQL ${Math.min(...connections)} to ${Math.max(...connections)}`);
  print(
    `event loop  99th percentile ${Math.round(loopMs)} ms in the median round, ${Math.round(Math.max(...loops))} ms in the worst (goal ${goals.loopMs})`,
  );
  print(`requests    ${asked}, failed ${failed}`);
  return slope <= goals.slopeMbPer10Min && grown <= 2 && loopMs <= goals.loopMs && share < goals.failedShare;
}
