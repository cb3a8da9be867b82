import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { type BenchDatabase, startBenchDatabase } from "../lib/bench-database.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { startDatabaseLine } from "../lib/tcp-line.ts";
import { signIn } from "./consultant.ts";
import { untilReady } from "./kills.ts";
import { type Answered, ask, findBad, type Load, printAnswers, startLoad } from "./steady-load.ts";

/** Maximum time of every request, with a margin for a busy machine. */
const longestMs = 11_000;
/** A request that gets no connection is refused after this time. */
const waitMs = 2_000;
/** Less than the maximum wait for a connection in the part that looks for requests that wait for themselves. */
const selfWaitMs = 55_000;
const calmMs = 4_000;

/** Starts the portal with a controllable connection to the database, and consultants at work. */
async function startOnLine(): Promise<{
  bench: PortalOnSandbox;
  database: BenchDatabase;
  line: Awaited<ReturnType<typeof startDatabaseLine>>;
  load: Load;
}> {
  const database = await startBenchDatabase();
  const line = await startDatabaseLine(database.url);
  const stop = async () => {
    await line.close();
    await database.stop();
  };
  const startDatabase = async () => ({ ...database, url: line.url, stop });
  const bench = await startPortalOnSandbox({ speed: 20, callsPerSecond: 20, startDatabase });
  return { bench, database, line, load: await startLoad(bench) };
}

/** Polls /api/ready until `isWanted`. @returns how long that took, in ms; null if it did not happen */
async function untilReadiness(url: string, isWanted: (status: number) => boolean): Promise<number | null> {
  const from = performance.now();
  while (performance.now() - from < 60_000) {
    const answer = await fetch(`${url}/api/ready`).catch(() => null);
    await answer?.body?.cancel();
    if (answer && isWanted(answer.status)) return performance.now() - from;
    await sleep(100);
  }
  return null;
}

/** Causes one temporary fault of the database while consultants are at work. @returns the faults found */
async function during(
  { bench: { url, portal }, load }: { bench: PortalOnSandbox; load: Load },
  fault: { name: string; begin: () => void; end: () => void; lastsMs: number; isWhole: boolean },
): Promise<string[]> {
  const faults: string[] = [];
  const begunAt = performance.now();
  fault.begin();
  const reportedMs = fault.isWhole ? await untilReadiness(url, (status) => status === 503) : 0;
  if (reportedMs === null || reportedMs > longestMs) faults.push(`${fault.name}: /api/ready did not say so`);
  await sleep(Math.max(0, fault.lastsMs - (performance.now() - begunAt)));
  const endedAt = performance.now();
  fault.end();
  const ready = await untilReadiness(url, (status) => status === 200);
  if (ready === null || ready > longestMs) faults.push(`${fault.name}: not ready after its end`);
  print(
    `${fault.name}: for ${seconds(endedAt - begunAt)} s${fault.isWhole ? `, /api/ready said so after ${seconds(reportedMs ?? 0)} s` : ""}, ready ${seconds(ready ?? 0)} s after its end`,
  );
  // Requests that were pending at the end have their response by then.
  await sleep(longestMs);
  const calmAt = performance.now();
  await sleep(calmMs);
  const [meanwhile, after] = [load.since(begunAt), load.since(calmAt)];
  printAnswers(
    "  during",
    meanwhile.filter(({ at }) => at < endedAt),
  );
  printAnswers("  after", after);
  faults.push(...findBad(fault.name, meanwhile, longestMs));
  if (after.some(({ status }) => status !== 200 && status !== 201))
    faults.push(`${fault.name}: requests fail after its end`);
  if (!portal.isRunning()) faults.push(`${fault.name}: the server ended`);
  return faults;
}

/** PostgreSQL stops responding: on one connection, in all of its processes, and by the network between. */
export async function databaseHangs(): Promise<string[]> {
  const desk = await startOnLine();
  const { bench, database, line, load } = desk;
  try {
    await sleep(calmMs);
    printAnswers("before", load.since(0));
    const { rows } = await bench.database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and application_name = '' and query not ilike '%listen%' order by state_change desc limit 1`,
    );
    const pid = rows[0]?.pid ?? 0;
    if (!pid) throw new Error("no connection was found to stop");
    const faults = [
      ...(await during(desk, {
        name: "one connection stopped",
        begin: () => process.kill(pid, "SIGSTOP"),
        end: () => process.kill(pid, "SIGCONT"),
        lastsMs: 15_000,
        isWhole: false,
      })),
      ...(await during(desk, {
        name: "PostgreSQL stopped",
        begin: () => database.signal("SIGSTOP"),
        end: () => database.signal("SIGCONT"),
        lastsMs: 20_000,
        isWhole: true,
      })),
      ...(await during(desk, {
        name: "the network stalls",
        begin: line.stall,
        end: line.resume,
        lastsMs: 20_000,
        isWhole: true,
      })),
    ];
    return [...faults, ...(await load.end())];
  } finally {
    database.signal("SIGCONT");
    await bench.stop();
  }
}

/** The network drops connections to the database without notifying either end. */
export async function halfOpen(): Promise<string[]> {
  const desk = await startOnLine();
  try {
    await sleep(calmMs);
    printAnswers("before", desk.load.since(0));
    const faults = await during(desk, {
      name: "connections forgotten",
      begin: () => print(`${desk.line.forget()} connections of the portal to the database are forgotten`),
      end: () => undefined,
      lastsMs: 15_000,
      isWhole: false,
    });
    return [...faults, ...(await desk.load.end())];
  } finally {
    await desk.bench.stop();
  }
}

/** 200 slow requests take all connections, while other requests need unrelated data. */
async function findWaits(bench: PortalOnSandbox): Promise<string[]> {
  const { url, database } = bench;
  const people = await Promise.all(Array.from({ length: 10 }, () => buildUser(database)));
  const cookies = await Promise.all(people.map((person) => signIn(url, person)));
  /** Sends 200 requests at once, and others meanwhile. */
  const press = async () => {
    const slow = Array.from({ length: 200 }, (_, n) =>
      ask(url, { path: "/api/leads", cookie: cookies[n % cookies.length] ?? "" }),
    );
    const others: Promise<Answered>[] = [];
    for (let n = 0; n < 60; n += 1) {
      others.push(ask(url, { path: "/api/sessions", cookie: cookies[n % cookies.length] ?? "" }));
      await sleep(100);
    }
    return { slow: await Promise.all(slow), others: await Promise.all(others) };
  };
  const usual = await press();
  printAnswers("others beside 200 fast", usual.others);
  const ownMs = Math.max(...usual.others.map(({ ms }) => ms));
  const client = await database.pool.connect();
  await client.query("begin; lock table leads in access exclusive mode");
  const { slow: slowOnes, others: otherOnes } = await press();
  await client.query("rollback");
  client.release();
  printAnswers("200 slow", slowOnes);
  printAnswers("others meanwhile", otherOnes);
  const after = await Promise.all(cookies.map((cookie) => ask(url, { path: "/api/leads", cookie })));
  printAnswers("after", after);
  return [
    ...findBad("slow", slowOnes, longestMs + ownMs),
    ...findBad("others", otherOnes, waitMs + ownMs),
    ...(after.every(({ status }) => status === 200) ? [] : ["requests fail after the slow ones"]),
  ];
}

/** 200 writes of every kind at once, each allowed to wait for its connection: none may wait for a second one while it holds one. */
async function findSelfWaits({ url, database }: PortalOnSandbox): Promise<string[]> {
  const admin = await buildUser(database, { role: "admin" });
  const [rep, other] = [await buildUser(database), await buildUser(database)];
  const cookies = { admin: await signIn(url, admin), rep: await signIn(url, rep) };
  const id = async () => (await buildLead(database, { assignedTo: rep.id })).id;
  const startTime = new Date(Date.now() + 86_400_000).toISOString();
  const endTime = new Date(Date.parse(startTime) + 1_800_000).toISOString();
  const kinds: ((n: number) => Promise<Parameters<typeof ask>[1]>)[] = [
    async () => ({
      path: `/api/leads/${await id()}`,
      method: "PATCH",
      cookie: cookies.rep,
      body: { notes: "Note" },
    }),
    async () => ({
      path: `/api/leads/${await id()}/convert`,
      cookie: cookies.rep,
      body: { conversionValue: 10 },
    }),
    async () => ({
      path: `/api/leads/${await id()}/assign`,
      cookie: cookies.admin,
      body: { salesRepId: other.id },
    }),
    async () => ({
      path: "/api/bulk-changes",
      cookie: cookies.admin,
      body: {
        clientRef: randomUUID(),
        edit: { kind: "assign", salesRepId: other.id },
        leadIds: [await id(), await id()],
      },
    }),
    async () => ({
      path: "/api/call-logs",
      cookie: cookies.rep,
      body: { leadId: await id(), duration: 30, outcome: "busy", notes: "", clientRef: randomUUID() },
    }),
    async () => ({
      path: `/api/leads/${await id()}/sms`,
      cookie: cookies.rep,
      body: { message: "Hola", clientRef: randomUUID() },
    }),
    async (n) => ({
      path: "/api/calendar/events",
      cookie: cookies.rep,
      body: { title: `Meeting ${n}`, startTime, endTime, leadId: await id(), clientRef: randomUUID() },
    }),
    async (n) => ({
      path: "/api/leads",
      cookie: cookies.rep,
      body: { firstName: `New ${n}`, email: `new.${n}@example.com`, clientRef: randomUUID() },
    }),
    async (n) => ({
      path: "/api/import/leads",
      cookie: cookies.admin,
      body: { leads: [{ name: `Row ${n}`, email: `row.${n}@example.com` }], sourceSystem: "JSON Import" },
    }),
    async () => ({ path: "/api/sample-data", cookie: cookies.rep, method: "POST" }),
    async () => ({
      path: `/api/leads/${await id()}/merge`,
      cookie: cookies.admin,
      body: { otherId: await id(), clientRef: randomUUID() },
    }),
    async () => ({
      path: "/api/call-settings",
      method: "PATCH",
      cookie: cookies.rep,
      body: { autoDial: true },
    }),
  ];
  const asked = [];
  for (let n = 0; n < 204; n += 1) asked.push(await (kinds[n % kinds.length] as (typeof kinds)[number])(n));
  const answers = await Promise.all(asked.map((each) => ask(url, each, "write")));
  printAnswers("204 writes at once", answers);
  const refused = Object.groupBy(
    answers.filter(({ status }) => (status ?? 500) >= 300),
    ({ path, status }) => `${path.replace(/\d+/, ":id")} ${status}`,
  );
  for (const [what, those] of Object.entries(refused))
    print(`  ${those?.length} × ${what} ${those?.[0]?.text.slice(0, 120)}`);
  return [
    ...findBad("writes", answers, selfWaitMs),
    ...(answers.some(({ status }) => status === 503)
      ? ["a write found no connection although it could wait"]
      : []),
  ];
}

/** Slow requests take all connections of the pool. */
export async function poolUsedUp(): Promise<string[]> {
  const faults: string[] = [];
  const settings: Record<string, string>[] = [
    {},
    { DATABASE_WAIT_MS: "60000", MAX_EVENT_LOOP_DELAY_MS: "60000" },
  ];
  for (const env of settings) {
    const bench = await startPortalOnSandbox({ speed: 20, callsPerSecond: 20, env });
    try {
      faults.push(...(await ("DATABASE_WAIT_MS" in env ? findSelfWaits(bench) : findWaits(bench))));
      await untilReady(bench.url);
      if (!bench.portal.isRunning()) faults.push("the server ended");
    } finally {
      await bench.stop();
    }
  }
  return faults;
}

/** The same leads are locked in opposite orders, by many requests at once and by a transaction that makes a deadlock certain. */
export async function deadlock(): Promise<string[]> {
  const bench = await startPortalOnSandbox({
    speed: 20,
    callsPerSecond: 20,
    env: { DATABASE_WAIT_MS: "60000" },
  });
  const { url, database } = bench;
  try {
    const admin = await buildUser(database, { role: "admin" });
    const [rep, other] = [await buildUser(database), await buildUser(database)];
    const cookies = { admin: await signIn(url, admin), rep: await signIn(url, rep) };
    const leads = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => (await buildLead(database, { assignedTo: rep.id })).id),
      );
    const bulk = (edit: object, leadIds: number[]) =>
      ask(url, {
        path: "/api/bulk-changes",
        cookie: cookies.admin,
        body: { clientRef: randomUUID(), edit, leadIds },
      });
    const count = async () =>
      (
        await database.pool.query<{ n: number }>(
          "select deadlocks::int as n from pg_stat_database where datname = current_database()",
        )
      ).rows[0]?.n ?? 0;

    const answers: Answered[] = [];
    for (let round = 0; round < 20; round += 1) {
      const ids = await leads(8);
      const back = ids.toReversed();
      answers.push(
        ...(await Promise.all([
          bulk({ kind: "assign", salesRepId: other.id }, ids),
          bulk({ kind: "assign", salesRepId: rep.id }, back),
          bulk({ kind: "priority", priority: "high" }, back),
          ask(url, {
            path: "/api/leads/assign",
            cookie: cookies.admin,
            body: { leadIds: back, salesRepId: other.id },
          }),
          ...back.map((id) =>
            ask(url, {
              path: `/api/leads/${id}/convert`,
              cookie: cookies.admin,
              body: { conversionValue: 10 },
            }),
          ),
          ...ids.map((id) =>
            ask(url, {
              path: `/api/leads/${id}`,
              method: "PATCH",
              cookie: cookies.admin,
              body: { notes: `${round}` },
            }),
          ),
        ])),
      );
    }
    printAnswers("opposite orders", answers);
    const byChance = await count();

    // PostgreSQL ends the transaction that has waited for a second, which is the portal's.
    const certain: Answered[] = [];
    for (let round = 0; round < 5; round += 1) {
      const [first = 0, second = 0] = await leads(2);
      const client = await database.pool.connect();
      await client.query("begin");
      await client.query("set local deadlock_timeout = '30s'");
      await client.query("select 1 from leads where id = $1 for update", [second]);
      const act = bulk({ kind: "assign", salesRepId: other.id }, [first, second]);
      const waiting =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      while ((await database.pool.query(waiting)).rowCount === 0) await sleep(10);
      await client.query("select 1 from leads where id = $1 for update", [first]);
      await sleep(200);
      await client.query("commit");
      client.release();
      certain.push(await act);
    }
    printAnswers("certain deadlocks", certain);
    // PostgreSQL updates its statistics some seconds later.
    for (let n = 0; n < 15 && (await count()) < byChance + 5; n += 1) await sleep(1_000);
    const all = await count();
    print(`deadlocks in PostgreSQL: ${byChance} by chance, ${all - byChance} made`);
    const bad = answers.filter(({ status }) => status === 503);
    return [
      ...findBad("opposite orders", answers, 30_000),
      ...findBad("certain deadlocks", certain, 30_000),
      ...(bad.length > 0 ? [`${bad.length} × 503: ${bad[0]?.path}`] : []),
      ...(certain.every(({ status }) => status === 200) ? [] : ["a deadlock was not tried again"]),
      ...(all > byChance ? [] : ["no deadlock was made"]),
    ];
  } finally {
    await bench.stop();
  }
}
