import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import type { SeenLeg as Leg } from "../../apps/server/src/testing/work-by-keys.ts";
import { type Cluster, missingForCluster, startPatroniCluster } from "../lib/patroni-cluster.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { chances } from "../lib/session-worker.ts";
import { type Tally as CallTally, callLead, signIn } from "./consultant.ts";
import { listSent, readReport, untilReady, untilSettled } from "./kills.ts";
import { findLedgerFaults } from "./ledger.ts";
import { seedPeople, writeMixed } from "./mixed-writes.ts";

const speed = 20;
const callers = 4;
const leadsOfCaller = 100;
/** Area codes that neither the files nor the forms of the mixed writes use. */
const areas = ["786", "407", "813", "954", "561", "727", "352", "386"];
/** Phones with a higher last digit also send SMS, do not answer, or opt out in the sandbox. */
const plainDigits = 5;
/** From the promotion of a standby to the portal's readiness. */
const goalMs = 15_000;
const promotionMs = 90_000;
const faultsShown = 40;

interface Failovers {
  /** By the kind of failure of the primary: from the failure to the promotion, and from the promotion to readiness, in ms. */
  kills: { promoted: number; ready: number }[];
  cuts: { promoted: number; ready: number }[];
  faults: string[];
}

/** Makes the primary fail repeatedly, at random times, each time after the cluster is complete again. */
async function failMeanwhile(
  cluster: Cluster,
  { url, portal }: PortalOnSandbox,
  { kills, cuts, chance }: { kills: number; cuts: number; chance: () => number },
): Promise<Failovers> {
  const found: Failovers = { kills: [], cuts: [], faults: [] };
  const left = { kills, cuts };
  while (left.kills + left.cuts > 0) {
    const old = await cluster.untilWhole();
    await untilReady(url);
    await sleep(1_000 + chance() * 3_000);
    const isKill = chance() * (left.kills + left.cuts) < left.kills;
    left[isKill ? "kills" : "cuts"] -= 1;
    const others = cluster.nodes.filter((node) => node !== old);
    const failedAt = performance.now();
    const failedOn = new Date();
    old.signal(isKill ? "SIGKILL" : "SIGSTOP");
    for (;;) {
      if ((await Promise.all(others.map((node) => node.isPrimary()))).includes(true)) break;
      if (performance.now() - failedAt > promotionMs) throw new Error("no standby was promoted");
      await sleep(50);
    }
    const promotedAt = performance.now();
    await untilReady(url);
    const times = { promoted: promotedAt - failedAt, ready: performance.now() - promotedAt };
    found[isKill ? "kills" : "cuts"].push(times);
    print(
      `${failedOn.toISOString().slice(11, 23)} ${isKill ? "killed " : "cut off"} ${old.name}: promoted after ${seconds(times.promoted)} s, portal ready ${seconds(times.ready)} s later`,
    );
    if (times.ready > goalMs)
      found.faults.push(`the portal was ready ${seconds(times.ready)} s after the promotion`);
    if (!portal.isRunning()) throw new Error("the portal ended");
    if (isKill) old.start();
    else old.signal("SIGCONT");
  }
  await cluster.untilWhole();
  return found;
}

/** Consultants who call their leads one after the other, until the end. */
async function callMeanwhile({ url, database }: PortalOnSandbox, over: AbortSignal) {
  const tally: CallTally = { sent: 0, acknowledged: 0, unanswered: 0 };
  const phones: string[] = [];
  const stateOf = async (leadId: number): Promise<string | null> => {
    for (;;) {
      const state = await database.pool
        .query<{ state: string }>("select state from calls where lead_id = $1 order by id desc limit 1", [
          leadId,
        ])
        .catch(() => "away" as const);
      if (state !== "away") return state.rows[0]?.state ?? null;
      await sleep(250);
    }
  };
  const people = [];
  for (let n = 0; n < callers; n += 1) {
    const user = await buildUser(database, { phone: `(305) 555-01${n}0` });
    const leads = [];
    for (let index = 0; index < leadsOfCaller; index += 1) {
      const place = Math.floor(index / plainDigits);
      const area = areas[n * 2 + Math.floor(place / 10)];
      const phone = `(${area}) 555-01${place % 10}${index % plainDigits}`;
      const lead = await buildLead(database, { phone, assignedTo: user.id });
      leads.push(lead.id);
      phones.push(lead.phoneE164 ?? "");
    }
    people.push({ cookie: await signIn(url, user), leads });
  }
  const calling = Promise.all(
    people.map(async ({ cookie, leads }) => {
      for (const leadId of leads) {
        if (over.aborted) return;
        await callLead({ url, cookie, leadId, tally, stateOf });
        await sleep(1_000);
      }
    }),
  );
  return { tally, phones, calling };
}

/** Leads whose phones rang more than once. */
function findRungTwice(legs: Leg[], phones: string[]): string[] {
  const rung = Map.groupBy(
    legs.filter(({ parentSid }) => parentSid !== null),
    ({ number }) => number,
  );
  return phones.flatMap((phone) => {
    const times = rung.get(phone)?.length ?? 0;
    return times > 1 ? [`the lead ${phone} was rung ${times} times`] : [];
  });
}

/**
 * Consultants and vendors write and call at once, through HAProxy, while the primary of three PostgreSQL servers under Patroni is
 * repeatedly killed and disconnected. Then the database is checked as in `kills`. `--kills 10 --cuts 5 --seed 1`
 * @returns whether no acknowledged write is lost, nobody was rung twice, and the portal was ready soon after each promotion
 */
export async function run(options: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: options,
    options: {
      kills: { type: "string", default: "10" },
      cuts: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
    },
  });
  const missing = missingForCluster();
  if (missing) {
    print(missing);
    return false;
  }
  const seed = Number(values.seed);
  const startedAt = performance.now();
  const cluster = await startPatroniCluster();
  const bench = await startPortalOnSandbox({
    speed,
    callsPerSecond: speed,
    startDatabase: async () => ({ ...cluster, killAndRestart: () => Promise.reject(new Error("not here")) }),
  });
  try {
    const admin = await buildUser(bench.database, { role: "admin" });
    const people = await seedPeople(bench);
    const over = new AbortController();
    const calls = await callMeanwhile(bench, over.signal);
    print(`${values.kills} kills of the primary, ${values.cuts} times cut off, seed ${seed} …`);
    const writing = writeMixed(bench, people, { seed, over: over.signal });
    const failing = failMeanwhile(cluster, bench, {
      kills: Number(values.kills),
      cuts: Number(values.cuts),
      chance: chances(seed),
    }).finally(() => over.abort());
    const [{ acknowledged, tally }, failovers] = await Promise.all([writing, failing, calls.calling]);
    const unsettled = await untilSettled(bench);
    const report = await readReport(bench, await signIn(bench.url, admin));
    const sent = await listSent(bench);
    const { calls: legs } = await bench.control<{ calls: Leg[] }>("GET", "/calls");
    const twice = findRungTwice(legs, calls.phones);
    const found = await findLedgerFaults(bench.database, { acknowledged, sent, report });
    const faults = [...failovers.faults, ...tally.faults, ...unsettled, ...found, ...twice];
    const changes = [...acknowledged.changes.values()].reduce((sum, each) => sum + each.length, 0);
    const kinds = [...acknowledged.marks].map(([kind, marks]) => `${kind} ${marks.length}`);
    const later = Object.entries(tally.later).map(([status, count]) => `${count} × ${status}`);
    print(
      `requests sent ${tally.sent}, acknowledged ${tally.acknowledged}, without an answer ${tally.unanswered}, 429 ${later.join(", ") || 0}, repeated ${tally.repeated}`,
    );
    print(`writes   acknowledged: change ${changes}, ${kinds.join(", ")}`);
    print(
      `calls    asked for ${calls.tally.sent}, acknowledged ${calls.tally.acknowledged}, without an answer ${calls.tally.unanswered}`,
    );
    print(`killed   ${spread(failovers.kills)}`);
    print(`cut off  ${spread(failovers.cuts)}`);
    print(`faults   ${faults.length}`);
    for (const fault of faults.slice(0, faultsShown)) print(`         ${fault}`);
    print(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
    if (faults.length > 0) print(`logs     ${cluster.keepLogs()}`);
    return faults.length === 0;
  } finally {
    await bench.stop();
  }
}

function spread(times: { promoted: number; ready: number }[]): string {
  const spreadOf = (name: "promoted" | "ready") => {
    const sorted = times.map((each) => each[name]).sort((a, b) => a - b);
    return `median ${seconds(sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)} s, longest ${seconds(sorted.at(-1) ?? 0)} s`;
  };
  return `${times.length} times: promotion after ${spreadOf("promoted")}; portal ready after ${spreadOf("ready")}`;
}
