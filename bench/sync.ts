import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { createGoHighLevel } from "../apps/server/src/adapters/gohighlevel/crm.ts";
import { createCrmPace } from "../apps/server/src/features/crm/pace-requests.ts";
import { findRun, insertRun } from "../apps/server/src/features/crm/run-repository.ts";
import { workRun } from "../apps/server/src/features/crm/work-run.ts";
import type { Database } from "../apps/server/src/platform/db/client.ts";
import { type CrmPace, fixedAccess } from "../apps/server/src/ports/crm.ts";
import { freePort } from "../apps/server/src/testing/server-process.ts";
import { startBenchDatabase } from "./lib/bench-database.ts";
import { startService } from "./lib/service.ts";

const goals = { first: 1.3, unchanged: 2 };
const rounds = 3;
const contacts = 100_000;
const locationId = "loc0000000000000001";
const token = "pit-sandbox-token";

type Raw = Record<string, unknown>;

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};

/** All pages, read by a client that does nothing else. */
async function fetchAll(url: string): Promise<Raw[][]> {
  const pages: Raw[][] = [];
  for (let searchAfter: unknown; ; ) {
    const answer = await fetch(`${url}/ghl/contacts/search`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        version: "2021-07-28",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        locationId,
        pageLimit: 500,
        sort: [{ field: "dateUpdated", direction: "asc" }],
        ...(searchAfter !== undefined && { searchAfter }),
      }),
    });
    const page = ((await answer.json()) as { contacts: Raw[] }).contacts;
    if (page.length === 0) return pages;
    pages.push(page);
    searchAfter = page.at(-1)?.searchAfter;
  }
}

/**
 * The minimum that a database needs for the same contacts: an upsert for each page and an entry on the timeline, with the leads' indexes.
 */
async function upsertAll(pool: Pool, pages: Raw[][]): Promise<void> {
  for (const page of pages)
    await pool.query(
      `with made as (
         insert into bare_leads (name, first_name, last_name, email, phone, phone_e164, company, lead_source, ghl_contact_id,
           crm_updated_at, created_at, extra, search)
         select concat_ws(' ', "firstName", "lastName"), "firstName", "lastName", lower(email), phone, phone, "companyName", source, id,
           "dateUpdated", "dateAdded", jsonb_build_object('tags', tags),
           lower(concat_ws(' ', "firstName", "lastName", email, "companyName", phone))
           from jsonb_to_recordset($1::jsonb) as c(id text, "firstName" text, "lastName" text, email text, phone text,
             "companyName" text, source text, "dateUpdated" timestamptz, "dateAdded" timestamptz, tags jsonb)
         on conflict (ghl_contact_id) where ghl_contact_id is not null do update set name = excluded.name
           where (bare_leads.name, bare_leads.crm_updated_at) is distinct from (excluded.name, excluded.crm_updated_at)
         returning id, ghl_contact_id)
       insert into bare_events (lead_id, kind, data)
       select id, 'created', jsonb_build_object('ghlContactId', ghl_contact_id) from made`,
      [JSON.stringify(page)],
    );
}

async function emptyTables(pool: Pool): Promise<void> {
  await pool.query("truncate bare_leads, bare_events, leads, crm_sync_runs, crm_run_pages cascade");
  await pool.query("vacuum analyze");
}

const log = (details: unknown): void => void process.stderr.write(`${JSON.stringify(details)}\n`);

/** One full sync by the portal's own code; `pace` is the rate limiter. */
async function syncOnce(database: Database, url: string, pace: CrmPace): Promise<number> {
  const crmAccess = fixedAccess({ token, locationId });
  const crm = createGoHighLevel({ baseUrl: `${url}/ghl`, access: crmAccess, pace });
  const jobs = {
    enqueue: async () => undefined,
    isWorked: () => false,
    start: async () => undefined,
    ready: () => true,
    stop: async () => undefined,
  };
  const context = {
    database,
    crm,
    crmAccess,
    // The run sends no events and needs no job, because it is processed right here.
    events: {
      onEvent: () => () => undefined,
      onGap: () => () => undefined,
      notify: () => undefined,
      receives: async () => true,
      close: async () => undefined,
    },
    jobs,
    notifications: { jobs, mailer: null },
    log: { error: log, warn: log, info: () => undefined },
    defaultCountry: "US" as const,
  };
  const runId = await database.transaction((tx) => insertRun(tx, { kind: "all", requestedBy: null }));
  if (runId === undefined) throw new Error("a run is under way");
  for (;;) {
    await workRun(context, runId);
    const run = await findRun(database.db, runId);
    if (run?.state === "failed" || run?.state === "held") throw new Error(run.message ?? "the sync failed");
    if (run?.state === "done") return run.synced;
  }
}

/** How often the sandbox, with its rate limit on, refused a request. */
async function refusals(database: Database, url: string): Promise<number> {
  await fetch(`${url}/control/ghl/rate-limit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ enabled: true }),
  });
  await fetch(`${url}/control/requests`, { method: "DELETE" });
  await syncOnce(database, url, createCrmPace(database.db));
  const answer = await fetch(`${url}/control/requests?vendor=ghl`);
  const { requests } = (await answer.json()) as { requests: { status: number }[] };
  return requests.filter(({ status }) => status === 429).length;
}

/**
 * The row "sync of 100,000" of the performance goals: the portal's full sync of the sandbox's contacts, first and unchanged, against
 * reading the same pages and upserting them in SQL, alternately; then with the rate limiter. @returns whether the goals are met
 */
export async function run(): Promise<boolean> {
  const { database, stop } = await startBenchDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-sandbox-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const sandbox = await startService({
    entry: "packages/sandbox/src/main.ts",
    env: {
      SANDBOX_PORT: String(port),
      DATA_DIR: dataDir,
      SANDBOX_SEED_LEADS: "0",
      SANDBOX_GHL_RATE_LIMIT: "off",
    },
    probe: `${url}/health`,
  });
  const { pool } = database;
  const unpaced: CrmPace = { turn: async () => 0, hold: async () => undefined };
  try {
    await pool.query("create table bare_leads (like leads including all)");
    await pool.query("create table bare_events (like lead_events including all)");
    await fetch(`${url}/control/ghl/generate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ count: contacts }),
    });
    await fetchAll(url);
    const times = {
      fetch: [] as number[],
      upsert: [] as number[],
      first: [] as number[],
      same: [] as number[],
    };
    for (let round = 0; round < rounds; round += 1) {
      await emptyTables(pool);
      let pages: Raw[][] = [];
      times.fetch.push(
        await seconds(async () => {
          pages = await fetchAll(url);
        }),
      );
      times.upsert.push(await seconds(() => upsertAll(pool, pages)));
      // The portal runs in this process, so the other side's data is freed first: it would burden the garbage collection.
      pages = [];
      times.first.push(await seconds(() => syncOnce(database, url, unpaced)));
      times.same.push(await seconds(() => syncOnce(database, url, unpaced)));
    }
    const { rows } = await pool.query<{ count: number }>("select count(*)::int as count from leads");
    const refused = await refusals(database, url);
    const first = median(times.first) / (median(times.fetch) + median(times.upsert));
    const same = median(times.same) / median(times.fetch);
    const figures = (values: number[]) => values.map((value) => value.toFixed(2)).join(", ");
    process.stdout.write(
      [
        `sync of ${rows[0]?.count} contacts, seconds, ${rounds} rounds`,
        `  reading alone   ${figures(times.fetch)}`,
        `  SQL upsert      ${figures(times.upsert)}  (an upsert and a timeline line a page, the leads' indexes)`,
        `  portal          ${figures(times.first)}  (read, checked, matched, written)`,
        `  unchanged       ${figures(times.same)}`,
        `  ratio           ${first.toFixed(2)} of reading and upsert (goal ${goals.first}), unchanged ${same.toFixed(2)} of reading (goal ${goals.unchanged})`,
        `  limiter on      ${refused} refused by the vendor (goal 0)`,
        "",
      ].join("\n"),
    );
    return first <= goals.first && same <= goals.unchanged && refused === 0;
  } finally {
    await sandbox.stop();
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
