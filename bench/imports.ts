import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { freePort } from "../apps/server/src/testing/server-process.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { portalProcess, startService } from "./lib/service.ts";
import { quantile } from "./lib/table.ts";

const goal = 1.5;
const memoryGoal = 150;
const rounds = 3;
const rowCount = 76_500;
/** One row in so many repeats the previous row, and one has an invalid address. */
const repeatEvery = 40;
const faultEvery = 50;

const columns = [
  "Name",
  "Email",
  "Phone",
  "Company",
  "Industry",
  "Status",
  "Priority",
  "Notes",
  "Deal Value",
];
const firstNames = ["Ana", "Luis", "María", "Robert", "Carmen", "José", "Dana", "Sofía"];
const lastNames = ["Reyes", "Whitfield", "García", "Ortiz", "Chen", "Núñez", "Brooks", "de la Cruz"];
const statuses = ["new", "contacted", "interested", "Not Interested"];

/** A file of 10 MB in another CRM's format; its people differ from round to round. */
function rowsOf(round: number): string[][] {
  const rows: string[][] = [];
  for (let n = 0; n < rowCount; n += 1) {
    const name = `${firstNames[n % 8]} ${lastNames[(n >> 3) % 8]} ${n}`;
    const faulty = n % faultEvery === 7;
    const email = faulty ? `nobody ${n}` : `person.${round}.${n % repeatEvery === 9 ? n - 1 : n}@example.com`;
    const phone = `(${201 + (n % 700)}) 555-${String(n % 10_000).padStart(4, "0")}`;
    rows.push([
      name,
      email,
      phone,
      `Company ${n % 5_000} LLC`,
      "Retail and more",
      statuses[n % 4] ?? "",
      "medium",
      `Asked on day ${n % 365}`,
      `$${1_000 + (n % 9_000)}.00`,
    ]);
  }
  return rows;
}

const csvOf = (rows: string[][]) => [columns, ...rows].map((row) => row.join(",")).join("\n");

/** COPY into a bare table, then each person once into a copy of the leads' table with all its indexes. @returns seconds */
async function copyAndDedupe(pool: Pool, file: string): Promise<number> {
  const startedAt = performance.now();
  await pool.query("truncate bench_rows");
  await pool.query(`copy bench_rows from '${file}' with (format csv, header true)`);
  await pool.query(
    `insert into bare_leads (name, email, phone, company, industry, notes, deal_value, search)
     select name, lower(email), phone, company, industry, notes, translate(deal_value, '$,', '')::numeric,
       lower(name || ' ' || email || ' ' || company || ' ' || regexp_replace(phone, '\\D', '', 'g'))
     from (select distinct on (lower(email)) * from bench_rows where email like '%@%') r
     where not exists (select 1 from bare_leads l where lower(l.email) = lower(r.email))`,
  );
  return (performance.now() - startedAt) / 1_000;
}

interface Answer {
  running: boolean;
  importId: number;
  imported: number;
  skipped: number;
  errors: number;
}

/** @returns seconds from the request to the last row, the counts, and how long `/api/health` took meanwhile, ms */
async function importCsv(url: string, cookie: string, csv: string) {
  let isDone = false;
  const waits: number[] = [];
  const watching = (async () => {
    while (!isDone) {
      const askedAt = performance.now();
      await (await fetch(`${url}/api/health`)).text();
      waits.push(performance.now() - askedAt);
      await sleep(10);
    }
  })();
  const startedAt = performance.now();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { cookie, "content-type": "text/csv" } });
  const path = "/api/import/leads?sourceSystem=CSV%20Import";
  let answer = (await (await ask(path, { method: "POST", body: csv })).json()) as Answer;
  while (answer.running) {
    await sleep(50);
    answer = (await (await ask(`/api/imports/${answer.importId}`)).json()) as Answer;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  isDone = true;
  await watching;
  return { seconds, answer, waits };
}

/**
 * The row "CSV import" of the performance goals: 10 MB of rows through the real app, with duplicates, invalid rows, timelines and metrics,
 * against COPY and deduplication in SQL into a table with the same indexes. @returns whether the goal is met
 */
export async function run(): Promise<boolean> {
  const { url: databaseUrl, stop } = await startBenchDatabase();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  // A pool of its own, because the portal's ends a statement after seconds.
  const pool = new Pool({ connectionString: databaseUrl });
  const folder = mkdtempSync(join(tmpdir(), "portal-bench-csv-"));
  chmodSync(folder, 0o755);
  try {
    await pool.query("create table bare_leads (like leads including all)");
    await pool.query(`create unlogged table bench_rows (name text, email text, phone text, company text, industry text, status text,
      priority text, notes text, deal_value text)`);
    const portal = await startService({
      ...portalProcess,
      env: {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        PUBLIC_URL: url,
        SANDBOX_PORT: String(sandboxPort),
      },
      probe: `${url}/api/health`,
    });
    const login = await fetch(`${url}/api/login/local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "admin@portal.test", password: "portal-admin" }),
    });
    const cookie = String(login.headers.get("set-cookie")).split(";")[0] ?? "";
    const restingMb = portal.memoryMb();
    const [portalSeconds, bareSeconds, waits]: [number[], number[], number[]] = [[], [], []];
    let summary = "";
    for (let round = 0; round < rounds; round += 1) {
      const csv = csvOf(rowsOf(round));
      const file = join(folder, "leads.csv");
      writeFileSync(file, csv, { mode: 0o644 });
      await pool.query("checkpoint");
      bareSeconds.push(await copyAndDedupe(pool, file));
      await pool.query("checkpoint");
      const { seconds, answer, waits: waited } = await importCsv(url, cookie, csv);
      portalSeconds.push(seconds);
      waits.push(...waited);
      summary = `${answer.imported} imported, ${answer.skipped} skipped, ${answer.errors} failed`;
    }
    const grownMb = portal.peakMemoryMb() - restingMb;
    await portal.stop();
    const ratio = quantile(portalSeconds, 0.5) / quantile(bareSeconds, 0.5);
    const figures = (values: number[]) => values.map((value) => value.toFixed(2)).join(", ");
    process.stdout.write(
      [
        `CSV import, ${rowCount} rows, seconds, ${rounds} rounds`,
        `  portal  ${figures(portalSeconds)}  (${summary})`,
        `  bare    ${figures(bareSeconds)}  (COPY and dedupe)`,
        `  ratio   ${ratio.toFixed(2)}  (goal ${goal})`,
        `  memory  + ${grownMb.toFixed(0)} MB  (goal ${memoryGoal})`,
        `  health  p95 ${quantile(waits, 0.95).toFixed(0)} ms, longest ${quantile(waits, 1).toFixed(0)} ms`,
        "",
      ].join("\n"),
    );
    return ratio <= goal && grownMb <= memoryGoal;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await pool.end();
    await stop();
  }
}
