import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../apps/server/src/platform/db/client.ts";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import type { SeenLeg as Leg } from "../../apps/server/src/testing/work-by-keys.ts";
import { startBenchDatabase } from "../lib/bench-database.ts";
import { print } from "../lib/print.ts";
import { portalProcess, type Service, startService } from "../lib/service.ts";
import { callLead, signIn, type Tally } from "./consultant.ts";
import { listMade } from "./recordings.ts";
import {
  countUnknowable,
  findFaults,
  findRecordingFaults,
  type PortalCall,
  type PortalRecording,
  type Recording,
} from "./truth.ts";

const calls = 300;
const atOnce = 50;
const speed = 20;
/** The portal is killed when this share of the calls has ended. */
const kills = [0.2, 0.45, 0.7];
const settleMs = 240_000;
/** A number of 1 or more would be a count; this means all. */
const always = 0.999999;
/** Consultants mostly answer; some phones are busy, do not answer or have a voicemail. */
const repDigits = [0, 1, 2, 3, 4, 0, 1, 5, 6, 7];
const areas = ["786", "407", "813"];

async function seed(database: Database) {
  const reps = [];
  for (let n = 0; n < atOnce; n += 1) {
    const phone = `(305) 555-01${Math.floor(n / 10)}${repDigits[n % 10]}`;
    const area = n % 10 >= 5 && n % 10 < 7 ? "(718)" : "(305)";
    reps.push(await buildUser(database, { phone: phone.replace("(305)", area) }));
  }
  const leads: { id: number; phoneE164: string; repId: number }[] = [];
  for (let n = 0; n < calls; n += 1) {
    const repId = reps[Math.floor((n * atOnce) / calls)]?.id ?? 0;
    const phone = `(${areas[Math.floor(n / 100)]}) 555-01${String(n % 100).padStart(2, "0")}`;
    const { id, phoneE164 } = await buildLead(database, { phone, assignedTo: repId });
    leads.push({ id, phoneE164: phoneE164 ?? "", repId });
  }
  return { reps, leads };
}

async function readCalls({ pool }: Database): Promise<PortalCall[]> {
  const { rows } = await pool.query<PortalCall>(
    `select c.id, c.lead_id as "leadId", c.call_sid as "callSid", c.state, c.result, c.duration_seconds as "durationSeconds",
       c.settled, (select count(*)::int from call_logs l where l.lead_id = c.lead_id) as logs
     from calls c order by c.id`,
  );
  return rows;
}

async function readRecordings({ pool }: Database): Promise<PortalRecording[]> {
  const { rows } = await pool.query<PortalRecording>(
    `select r.recording_sid as sid, r.call_sid as "callSid", r.status, r.lead_id as "leadId",
       c.call_sid as "ownSid", c.lead_id as "ownLead"
     from recordings r left join calls c on c.id = r.call_id`,
  );
  return rows;
}

/** Waits until the portal has all facts, or gives up. A recording without an event is requested after a minute. */
async function untilSettled(database: Database): Promise<void> {
  const deadline = Date.now() + settleMs;
  while (Date.now() < deadline) {
    const { rows } = await database.pool.query<{ open: number }>(
      `select (select count(*) from calls where not settled)::int
         + (select count(*) from provider_events where processed_at is null)::int
         + (select count(*) from calls c where c.result in ('answered', 'voicemail') and not exists (select 1 from recordings r
             where r.call_id = c.id and r.status in ('completed', 'absent')))::int as open`,
    );
    if (rows[0]?.open === 0) return;
    await sleep(500);
  }
}

async function killMeanwhile(database: Database, portal: Service, over: AbortSignal): Promise<number> {
  let killed = 0;
  for (const share of kills) {
    while (!over.aborted) {
      const { rows } = await database.pool.query<{ n: number }>(
        "select count(*)::int as n from calls where state = 'ended'",
      );
      if ((rows[0]?.n ?? 0) >= share * calls) break;
      await sleep(100);
    }
    if (over.aborted) return killed;
    await portal.killAndRestart();
    killed += 1;
  }
  return killed;
}

/**
 * 300 calls, 50 at a time, with 5 % of the provider's events dropped, 20 % repeated, all shuffled, and the portal killed three times.
 * @returns whether every call has its true result, none exists twice, none is stuck, none is lost
 */
export async function run(): Promise<boolean> {
  const startedAt = performance.now();
  const { url: databaseUrl, database, stop } = await startBenchDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: url,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PORTAL_URL: url,
    SANDBOX_SPEED: String(speed),
    SANDBOX_SEED_LEADS: "1",
    DATA_DIR: dataDir,
    TWILIO_CPS: String(speed),
    LOG_LEVEL: "fatal",
    NODE_ENV: "test",
    MARKET: "OPEN",
  };
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${sandboxUrl}/control${path}`, {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const services: Service[] = [];
  try {
    const { reps, leads } = await seed(database);
    services.push(
      await startService({ entry: "packages/sandbox/src/main.ts", env, probe: `${sandboxUrl}/health` }),
    );
    const portal = await startService({ ...portalProcess, env, probe: `${url}/api/health` });
    services.unshift(portal);
    const cookies = new Map<number, string>();
    for (const rep of reps) cookies.set(rep.id, await signIn(url, rep));
    await control("POST", "/webhooks", { drop: 0.05, repeat: 0.2, shuffle: always });
    print(`${calls} calls of ${atOnce} consultants, time runs ${speed} times as fast …`);

    const tally: Tally = { sent: 0, acknowledged: 0, unanswered: 0 };
    const stateOf = async (leadId: number): Promise<string | null> => {
      const { rows } = await database.pool.query<{ state: string }>(
        "select state from calls where lead_id = $1 order by id desc limit 1",
        [leadId],
      );
      return rows[0]?.state ?? null;
    };
    const over = new AbortController();
    const killing = killMeanwhile(database, portal, over.signal);
    await Promise.all(
      reps.map(async (rep) => {
        const cookie = cookies.get(rep.id) ?? "";
        for (const { id } of leads.filter(({ repId }) => repId === rep.id)) {
          await callLead({ url, cookie, leadId: id, tally, stateOf });
        }
      }),
    );
    over.abort();
    const killed = await killing;
    await untilSettled(database);

    const found = await readCalls(database);
    const { calls: legs } = (await control("GET", "/calls")) as { calls: Leg[] };
    const { counts } = (await control("GET", "/webhooks")) as { counts: Record<string, number> };
    const { rows: stored } = await database.pool.query("select count(*)::int as n from provider_events");
    const made = await listMade(sandboxUrl);
    const known = await readRecordings(database);
    const faults = [...findFaults({ leads, calls: found, legs }), ...findRecordingFaults(made, known)];
    report({
      recordings: { made, known },
      unknowable: countUnknowable(found, legs),
      tally,
      found,
      legs,
      counts,
      stored: stored[0].n,
      killed,
      faults,
      ms: performance.now() - startedAt,
    });
    return faults.length === 0 && killed === kills.length;
  } finally {
    for (const service of services) await service.stop();
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(input: {
  tally: Tally;
  found: PortalCall[];
  legs: Leg[];
  counts: Record<string, number>;
  stored: number;
  recordings: { made: Recording[]; known: PortalRecording[] };
  unknowable: number;
  killed: number;
  faults: string[];
  ms: number;
}): void {
  const { tally, found, legs, counts, stored, recordings, unknowable, killed, faults, ms } = input;
  const completed = (rows: Recording[]) => rows.filter(({ status }) => status === "completed").length;
  const results = Object.groupBy(found, ({ result }) => result ?? "none");
  const placed = legs.filter(({ parentSid }) => parentSid === null).length;
  print(
    `calls    asked for ${tally.sent}, acknowledged ${tally.acknowledged}, without an answer ${tally.unanswered}`,
  );
  print(`         at the provider ${placed}, found in the portal ${found.length}`);
  print(
    `events   sent ${counts.sent}, dropped ${counts.dropped}, repeated ${counts.repeated}, shuffled ${counts.shuffled}`,
  );
  print(`         acknowledged ${counts.acknowledged}, found ${stored}`);
  print(
    `results  ${Object.entries(results)
      .map(([name, rows]) => `${name} ${rows?.length}`)
      .join(", ")}`,
  );
  print(`         of which ${unknowable} by questions that the killed portal could not answer`);
  print(`recorded ${completed(recordings.made)} at the provider, found ${completed(recordings.known)}`);
  print(`portal   killed ${killed} times`);
  print(`faults   ${faults.length}`);
  for (const fault of faults) print(`         ${fault}`);
  print(`${Math.round(ms / 1_000)} s`);
}
