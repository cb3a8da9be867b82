import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import type { PortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { signIn } from "./consultant.ts";

/** A request that was sent during a fault, with its result. */
export interface Answered {
  kind: "read" | "write";
  path: string;
  /** Time of the request, by performance.now(). */
  at: number;
  ms: number;
  /** null: no response. */
  status: number | null;
  text: string;
}

const consultants = 4;
const leadsEach = 40;
/** Longer than any response may take. */
const timeoutMs = 100_000;
const pauseMs = 40;
const reads = ["/api/leads", "/api/today", "/api/current-user", "/api/call-logs/summary", "/api/leads"];

/** Sends one request. @returns its result */
export async function ask(
  url: string,
  { path, cookie, body, method }: { path: string; cookie: string; body?: object; method?: string },
  kind: Answered["kind"] = body ? "write" : "read",
): Promise<Answered> {
  const at = performance.now();
  const answer = await fetch(`${url}${path}`, {
    method: method ?? (body ? "POST" : "GET"),
    headers: { cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  const text = (await answer?.text().catch(() => null)) ?? null;
  const status = text === null ? null : (answer?.status ?? null);
  return { kind, path, at, ms: performance.now() - at, status, text: text ?? "" };
}

/** Starts consultants who read and write almost without a pause, until `end`. */
export async function startLoad({ url, database }: PortalOnSandbox) {
  const answers: Answered[] = [];
  const acknowledged: string[] = [];
  let isOver = false;
  const people: { cookie: string; leadIds: number[] }[] = [];
  for (let n = 0; n < consultants; n += 1) {
    const user = await buildUser(database);
    const leadIds: number[] = [];
    for (let index = 0; index < leadsEach; index += 1)
      leadIds.push((await buildLead(database, { assignedTo: user.id })).id);
    people.push({ cookie: await signIn(url, user), leadIds });
  }
  const read = async (cookie: string) => {
    for (let n = 0; !isOver; n += 1) {
      answers.push(await ask(url, { path: reads[n % reads.length] ?? "", cookie }));
      await sleep(pauseMs);
    }
  };
  const write = async ({ cookie, leadIds }: (typeof people)[number], person: number) => {
    for (let n = 0; !isOver; n += 1) {
      const notes = `Load ${person}.${n}`;
      const leadId = leadIds[n % leadIds.length];
      const body = { leadId, duration: 30, outcome: "answered", notes, clientRef: randomUUID() };
      const answer = await ask(url, { path: "/api/call-logs", cookie, body });
      answers.push(answer);
      if (answer.status === 200 || answer.status === 201) acknowledged.push(notes);
      await sleep(pauseMs);
    }
  };
  const working = Promise.all(
    people.flatMap((person, index) => [read(person.cookie), read(person.cookie), write(person, index)]),
  );
  return {
    cookies: people.map(({ cookie }) => cookie),
    people,
    /** The requests that ended since then, with or without a response. */
    since: (from: number) => answers.filter(({ at, ms }) => at + ms >= from),
    /** Ends the load, and checks that every acknowledged write exists. @returns the faults */
    async end(): Promise<string[]> {
      isOver = true;
      await working;
      const { rows } = await database.pool.query<{ notes: string; n: number }>(
        "select notes, count(*)::int as n from call_logs where notes like 'Load %' group by 1",
      );
      const found = new Map(rows.map(({ notes, n }) => [notes, n]));
      print(`writes  ${acknowledged.length} acknowledged, ${found.size} found`);
      return [
        ...acknowledged.filter((notes) => !found.has(notes)).map((notes) => `lost: ${notes}`),
        ...[...found].filter(([, n]) => n > 1).map(([notes, n]) => `${notes} is there ${n} times`),
      ];
    },
  };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** The 95th percentile of the response times, in ms. */
export function p95(answers: Answered[]): number {
  const waits = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return waits[Math.floor((waits.length - 1) * 0.95)] ?? 0;
}

/** Prints the results of a phase in one line. */
export function printAnswers(phase: string, answers: Answered[]): void {
  const counts = Object.entries(Object.groupBy(answers, ({ status }) => status ?? "no answer"))
    .map(([status, those]) => `${those?.length} × ${status}`)
    .join(", ");
  const longest = Math.max(0, ...answers.map(({ ms }) => ms));
  print(`${phase.padEnd(22)} ${counts}; p95 ${seconds(p95(answers))} s, longest ${seconds(longest)} s`);
}

/** Results that a fault must not cause: no response, an error other than 503 with a message, a late response. */
export function findBad(phase: string, answers: Answered[], longestMs: number): string[] {
  const bad = answers.flatMap(({ status, text, ms, path }) => {
    if (status === null) return [`${path}: no answer`];
    if (ms > longestMs) return [`${path}: answered after ${seconds(ms)} s`];
    if (status >= 500 && status !== 503) return [`${path}: ${status} ${text.slice(0, 200)}`];
    if (status === 503 && !text.includes('"message"')) return [`${path}: 503 without a sentence`];
    if (status === 401 || status === 404) return [`${path}: ${status} ${text.slice(0, 200)}`];
    return [];
  });
  const kinds = Object.entries(Object.groupBy(bad, (each) => each));
  return kinds.map(([what, those]) => `${phase}: ${those?.length} × ${what}`).slice(0, 10);
}
