import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../apps/server/src/platform/db/client.ts";
import { buildLead, buildUser, type TestUser } from "../../apps/server/src/testing/factories.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { chances, type WorkTally, workSession } from "../lib/session-worker.ts";
import { signIn } from "./consultant.ts";

const alone = 100;
const shared = 40;
const together = 20;
const speed = 30;
/** The portal is killed when this share of all leads was dialed. */
const kills = [0.3, 0.65];
const timeoutMs = 25 * 60_000;
const settleMs = 240_000;
/** A number of 1 or more would be a count; this means all. */
const always = 0.999999;
const areas = ["786", "407"];

interface DialledLead {
  leadId: number;
  phone: string;
  calls: number;
  logs: number;
}

async function seed(database: Database) {
  const phone = (n: number) => `(${areas[Math.floor(n / 100)]}) 555-01${String(n % 100).padStart(2, "0")}`;
  const rep = await buildUser(database, { phone: "(305) 555-0100" });
  const admins: TestUser[] = [];
  for (let n = 1; n <= together; n += 1) {
    const digits = String((Math.floor(n / 5) * 10 + (n % 5)) % 100).padStart(2, "0");
    admins.push(await buildUser(database, { phone: `(718) 555-01${digits}`, role: "admin" }));
  }
  const own: number[] = [];
  for (let n = 0; n < alone; n += 1) {
    own.push((await buildLead(database, { phone: phone(n), assignedTo: rep.id })).id);
  }
  const overlapping: number[] = [];
  for (let n = alone; n < alone + shared; n += 1) {
    overlapping.push((await buildLead(database, { phone: phone(n) })).id);
  }
  return { rep, admins, own, overlapping };
}

async function killMeanwhile({ database, portal }: PortalOnSandbox, over: AbortSignal): Promise<number> {
  let killed = 0;
  for (const share of kills) {
    while (!over.aborted) {
      const { rows } = await database.pool.query<{ n: number }>(
        "select count(distinct lead_id)::int as n from calls where lead_ringing_at is not null",
      );
      if ((rows[0]?.n ?? 0) >= share * (alone + shared)) break;
      await sleep(100);
    }
    if (over.aborted) return killed;
    await portal.killAndRestart();
    killed += 1;
  }
  return killed;
}

/** All faults of the leads' calls and the sessions' order. */
async function findFaults({
  database,
  control,
}: PortalOnSandbox): Promise<{ faults: string[]; dialled: number }> {
  const { pool } = database;
  const { calls: legs } = await control<{ calls: { number: string; parentSid: string | null }[] }>(
    "GET",
    "/calls",
  );
  const rang = Map.groupBy(
    legs.filter(({ parentSid }) => parentSid !== null),
    ({ number }) => number,
  );
  const { rows: leads } = await pool.query<DialledLead>(
    `select l.id as "leadId", l.phone_e164 as phone,
       (select count(*)::int from calls c where c.lead_id = l.id and c.lead_ringing_at is not null) as calls,
       (select count(*)::int from call_logs g where g.lead_id = l.id) as logs
     from leads l`,
  );
  const faults = leads.flatMap(({ leadId, phone, calls, logs }) => {
    const times = rang.get(phone)?.length ?? 0;
    return [
      ...(times > 1 ? [`lead ${leadId}: its phone rang ${times} times`] : []),
      ...(times !== calls && logs !== times
        ? [`lead ${leadId}: rang ${times} times, ${calls} calls know of it`]
        : []),
      ...(times === 1 && logs !== 1 ? [`lead ${leadId}: ${logs} logs of one call`] : []),
    ];
  });
  const { rows: disorder } = await pool.query<{ id: number; position: number }>(
    `select session_id as id, position from (
       select session_id, position, dialled_at,
         max(dialled_at) over (partition by session_id order by position rows between unbounded preceding and 1 preceding) as before
       from dialer_items where dialled_at is not null) o where dialled_at < before`,
  );
  faults.push(
    ...disorder.map(({ id, position }) => `session ${id}: lead ${position} was dialled out of order`),
  );
  const { rows: open } = await pool.query<{ id: number; status: string; left: number }>(
    `select s.id, s.status, count(*) filter (where i.state in ('waiting', 'in_hand'))::int as left
     from dialer_sessions s join dialer_items i on i.session_id = s.id group by s.id, s.status
     having s.status <> 'completed' or count(*) filter (where i.state in ('waiting', 'in_hand')) > 0`,
  );
  faults.push(...open.map(({ id, status, left }) => `session ${id}: ${status} with ${left} leads left`));
  return { faults, dialled: rang.size };
}

/**
 * One consultant works through 100 leads, and 20 others through the same 40 leads at once, with 5 % of the provider's events dropped, 20 %
 * repeated, all shuffled, pages reloaded and the portal killed twice. @returns whether each lead was rung at most once and by one of them,
 * each call logged once, the order kept and every session completed
 */
export async function run(): Promise<boolean> {
  const startedAt = performance.now();
  const bench = await startPortalOnSandbox({ speed, callsPerSecond: speed });
  try {
    const { rep, admins, own, overlapping } = await seed(bench.database);
    await bench.control("POST", "/webhooks", { drop: 0.05, repeat: 0.2, shuffle: always });
    print(
      `1 consultant with ${own.length} leads, ${together} with the same ${overlapping.length}, time runs ${speed} times as fast …`,
    );
    const tally: WorkTally = { reloads: 0, resumes: 0, unanswered: 0 };
    const over = new AbortController();
    const killing = killMeanwhile(bench, over.signal);
    const work = async (user: TestUser, start: object, seedOfChance: number) =>
      workSession({
        url: bench.url,
        cookie: await signIn(bench.url, user),
        start: { ...start, delaySeconds: 3 },
        chance: chances(seedOfChance),
        hurry: 0.5,
        reload: 0.02,
        tally,
        timeoutMs,
      });
    const selection = { source: { kind: "selection", leadIds: overlapping } };
    const completed = await Promise.all([
      work(rep, { source: { kind: "filter", status: "all" } }, 1),
      ...admins.map((admin, n) => work(admin, selection, n + 2)),
    ]);
    over.abort();
    const killed = await killing;
    await bench.untilSettled(settleMs);
    const { faults, dialled } = await findFaults(bench);
    print(`sessions ${completed.length}, completed ${completed.filter(Boolean).length}`);
    print(`leads    ${own.length + overlapping.length}, phones that rang ${dialled}`);
    print(
      `pages    loaded anew ${tally.reloads} times, resumed ${tally.resumes}, requests without an answer ${tally.unanswered}`,
    );
    print(`portal   killed ${killed} times`);
    print(`faults   ${faults.length}`);
    for (const fault of faults) print(`         ${fault}`);
    print(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
    return faults.length === 0 && completed.every(Boolean) && killed === kills.length;
  } finally {
    await bench.stop();
  }
}
