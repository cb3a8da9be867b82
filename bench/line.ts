import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../apps/server/src/testing/factories.ts";
import type { SeenLeg } from "../apps/server/src/testing/work-by-keys.ts";
import { signIn } from "./faults/consultant.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "./lib/portal-on-sandbox.ts";
import { print } from "./lib/print.ts";

const sessions = 20;
const leadsEach = 5;
/** Response time of the sandbox to our requests. */
const providerMs = 300;
/** The sandbox's phones: time from the Dial to the ringing, and duration of a spoken word. */
const sandboxMs = { setUp: 400, word: 400 };
const goals = { named: 300, ringing: 1_000, alone: 2_000 };
/** Half of the sessions wait for the end of a brief, the other half for the end of the delay. */
const ways = [
  { brief: "short", delaySeconds: 3 },
  { brief: "off", delaySeconds: 5 },
] as const;
const timeoutMs = 6 * 60_000;

const share = (values: number[], part: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN);

interface Consultant {
  id: number;
  cookie: string;
}

/** Consultants whose leads' phones ring for a second and hang up within seconds, except for each one's last lead, who stays. */
async function consultantOf(bench: PortalOnSandbox, n: number): Promise<Consultant> {
  const { database, url, control } = bench;
  const two = (value: number) => String(value).padStart(2, "0");
  const rep = await buildUser(database, { phone: `(718) 555-01${Math.floor(n / 5)}${n % 5}` });
  for (let lead = 0; lead < leadsEach; lead += 1) {
    const number = n * leadsEach + lead;
    const { phoneE164 } = await buildLead(database, {
      name: `Lead ${number} Bench`,
      phone: `(${number < 100 ? 786 : 407}) 555-01${two(number % 100)}`,
      assignedTo: rep.id,
      createdAt: new Date(Date.now() - lead * 86_400_000),
    });
    const stays = lead === leadsEach - 1;
    const script = {
      answerAfter: 1,
      ...(stays ? { talk: 600 } : { hangUpAfter: 1 + ((number * 7) % 11) / 2 }),
    };
    await control("POST", "/phones", { number: phoneE164, behaviour: "answers", script });
  }
  return { id: rep.id, cookie: await signIn(url, rep) };
}

/** Gives outcomes on the screen, and hangs up on each session's last lead, until all sessions wait without a line. */
async function work(bench: PortalOnSandbox, byUser: Map<number, Consultant>): Promise<void> {
  const { database, url, control } = bench;
  const hungUp = new Set<number>();
  const given = new Set<number>();
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
    const { rows } = await database.pool.query<{
      id: number;
      userId: number;
      callId: number;
      phase: string;
      position: number;
      talks: boolean;
      lineSid: string;
    }>(
      `select s.id, s.user_id as "userId", s.call_id as "callId", s.phase, s.position, coalesce(c.answered_at < now() - interval '3 s', false) as talks,
         l.call_sid as "lineSid" from dialer_sessions s join calls c on c.id = s.call_id join lines l on l.id = s.line_id where s.status = 'active'`,
    );
    await Promise.all(
      rows.map(async ({ id, userId, callId, phase, position, talks, lineSid }) => {
        const { cookie = "" } = byUser.get(userId) ?? {};
        if (phase === "wrap_up" && !given.has(callId)) {
          given.add(callId);
          const body = JSON.stringify({ callId, outcome: "answered" });
          const headers = { cookie, "content-type": "application/json" };
          const saved = await fetch(`${url}/api/dialer/${id}/wrap-up`, { method: "POST", headers, body });
          if (!saved.ok) given.delete(callId);
        }
        if (phase === "calling" && position === leadsEach - 1 && talks && !hungUp.has(id)) {
          hungUp.add(id);
          await control("POST", `/calls/${lineSid}/hangup`);
        }
      }),
    );
    const left = await database.pool.query("select 1 from lines where state <> 'ended'");
    if (hungUp.size === byUser.size && left.rows.length === 0) return;
  }
}

/**
 * For each lead except the first of a session: time from the end of delay and brief to our response, and to the ringing; for the last, how
 * long they were alone.
 */
async function measure({ database, control }: PortalOnSandbox) {
  const { calls: legs } = await control<{ calls: SeenLeg[] }>("GET", "/calls");
  const { rows } = await database.pool.query<{ name: string; sid: string; lineSid: string; due: number }>(
    `select d.name, c.call_sid as sid, l.call_sid as "lineSid", s.delay_seconds * 1000 + (
         select max((p.data ->> 'now')::float8) from dialer_steps p
         where p.session_id = s.id and p.position = i.position - 1 and p.kind = 'call') as due
       from dialer_items i join dialer_sessions s on s.id = i.session_id join calls c on c.id = i.call_id join leads d on d.id = i.lead_id
       join lines l on l.id = c.line_id where i.position > 0`,
  );
  const alone = [];
  const named = [];
  for (const { name, sid, lineSid, due } of rows) {
    const lead = legs.find((leg) => leg.sid === sid);
    const line = legs.find((leg) => leg.sid === lineSid);
    if (!lead || !line) continue;
    const brief = line.transcript.find(({ text }) => text.startsWith(`${name},`));
    const said = brief ? Date.parse(brief.at) + brief.text.split(" ").length * sandboxMs.word : 0;
    named.push(Date.parse(lead.createdAt) - Math.max(due, said));
    if (lead.endedAt && line.endedAt && lead.endedAt >= line.endedAt)
      alone.push(Date.parse(lead.endedAt) - Date.parse(line.endedAt));
  }
  return { named, ringing: named.map((ms) => ms + sandboxMs.setUp), alone };
}

/**
 * 20 consultants on open lines at once, with a provider that takes 300 ms for a request and starts one call per second: how soon a lead is
 * named and rung, and how soon a lead's call is ended after their consultant hangs up. @returns whether that is within the goals at the
 * 99th percentile
 */
export async function run(): Promise<boolean> {
  const bench = await startPortalOnSandbox({ speed: 1, callsPerSecond: 1 });
  try {
    const { url, control } = bench;
    await control("POST", "/latency", { vendor: "twilio", ms: providerMs });
    const byUser = new Map<number, Consultant>();
    for (let n = 0; n < sessions; n += 1) {
      const consultant = await consultantOf(bench, n);
      byUser.set(consultant.id, consultant);
    }
    for (const [n, consultant] of [...byUser.values()].entries()) {
      const answer = await fetch(`${url}/api/dialer/start`, {
        method: "POST",
        headers: { cookie: consultant.cookie, "content-type": "application/json" },
        body: JSON.stringify({
          ...{ source: { kind: "filter", status: "all" }, lineMode: "open_line" },
          ...ways[n % ways.length],
        }),
      });
      if (!answer.ok) throw new Error(`Start answered ${answer.status}`);
    }
    await work(bench, byUser);
    const { named, ringing, alone } = await measure(bench);
    print("| work | measured | goal |");
    print("|---|---|---|");
    const row = (what: string, values: number[], goal: number) =>
      print(
        `| ${what}, ${sessions} sessions, ${values.length} leads | median ${share(values, 0.5)} ms, 99th percentile ${share(values, 0.99)} ms | ≤ ${goal} ms |`,
      );
    row("later of delay and brief to our answer that names the lead", named, goals.named);
    row("the same to the lead's ringing", ringing, goals.ringing);
    row("consultant's end to the lead's", alone, goals.alone);
    return (
      named.length === sessions * (leadsEach - 1) &&
      alone.length === sessions &&
      named.every((ms) => ms >= 0) &&
      share(named, 0.99) <= goals.named &&
      share(ringing, 0.99) <= goals.ringing &&
      share(alone, 0.99) <= goals.alone
    );
  } finally {
    await bench.stop();
  }
}
