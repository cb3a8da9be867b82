import { Agent, get, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { DeskPerson } from "./desk-people.ts";
import { callSteps, signedForm } from "./desk-provider.ts";

export interface DeskLoad {
  url: string;
  people: DeskPerson[];
  /** Have nothing but an open event stream, like a portal in a background tab. */
  listeners?: DeskPerson[];
  /** Common words for searches. */
  words: string[];
  /** What a browser reloads when an event names a lead: its pages, or that lead. */
  rereads: "pages" | "lead";
  arrivalSeconds: number;
  seconds: number;
}

export interface DeskResult {
  /** Milliseconds of every measured request, by kind. */
  times: Record<string, number[]>;
  failures: Record<string, number>;
}

/** Seconds between two actions of a kind, for each consultant. */
const every = { patch: 120, call: 90, search: 60, timeline: 60 };
/** Panels and reports are open on administrators' screens. */
const panelSeconds = 15;
const reportSeconds = 30;
/** Batching of events as in the browser: a quarter of a second for leads and calls, two for lists while many leads change, five for metrics. */
const batchMs = 250;
const listsMs = 2_000;
const figuresMs = 5_000;
const outcomes = ["answered", "voicemail", "no_answer", "busy"];

const { url, people, listeners = [], words, rereads, arrivalSeconds, seconds } = workerData as DeskLoad;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const result: DeskResult = { times: {}, failures: {} };
let measuring = false;
let over = false;

interface Asked {
  kind: string;
  method?: "GET" | "POST" | "PATCH";
  path: string;
  body?: object;
}

/** The codes in an error response. */
function codeOf(text: string): string {
  const found = /"(?:code|reason)":"(\w+)"/g;
  return [...text.matchAll(found)].map(([, code]) => code).join(" ");
}

/** Sends one request as a person; its time is recorded if it starts and ends within the measured seconds. */
function ask(person: DeskPerson, { kind, method = "GET", path, body }: Asked): Promise<string> {
  const text = body && JSON.stringify(body);
  return send({
    kind,
    method,
    path,
    text,
    headers: {
      cookie: person.cookie,
      // As a browser asks; nothing here reads the content of a page, so that the load is not slowed by decompressing it.
      ...(method === "GET" && { "accept-encoding": "gzip, deflate, br, zstd" }),
      ...(text && { "content-type": "application/json" }),
    },
  });
}

function send(input: {
  kind: string;
  method: string;
  path: string;
  text: string | undefined;
  headers: Record<string, string>;
}): Promise<string> {
  const { kind, method, path, text, headers } = input;
  const counted = measuring;
  const startedAt = performance.now();
  const fail = (why: string) => {
    if (counted && !over) result.failures[`${kind} ${why}`] = (result.failures[`${kind} ${why}`] ?? 0) + 1;
    return "";
  };
  return new Promise((resolve) => {
    const outgoing = request(
      `${url}${path}`,
      { agent, method, headers: { ...headers, ...(text && { "content-length": Buffer.byteLength(text) }) } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          if (counted && measuring) {
            const times = result.times[kind] ?? [];
            result.times[kind] = times;
            times.push(performance.now() - startedAt);
          }
          const read = Buffer.concat(chunks).toString();
          resolve((answer.statusCode ?? 500) < 300 ? read : fail(`${answer.statusCode} ${codeOf(read)}`));
        });
      },
    );
    outgoing.on("error", (error) => resolve(fail((error as NodeJS.ErrnoException).code ?? "error")));
    outgoing.end(text);
  });
}

const read = (person: DeskPerson, kind: string, path: string) => ask(person, { kind, path });
const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

/** Requests of a page with leads when it opens. */
const firstReads: [string, string][] = [
  ["who am I", "/api/current-user"],
  ["page", "/api/leads?limit=50"],
  ["tiles", "/api/dashboard-stats"],
  ["needs outcome", "/api/call-logs?needsOutcome=true&limit=50"],
  ["unread", "/api/sms/unread"],
  ["live call", "/api/calls/live"],
  ["session", "/api/dialer"],
];

/** What a consultant's browser reloads for each topic. */
function rereadsOf(topic: string, id: number): [string, string][] {
  const lead: [string, string] =
    // Without an id the event concerns many leads.
    rereads === "pages" || id === 0 ? ["page", "/api/leads?limit=50"] : ["lead", `/api/leads/${id}`];
  if (topic === "lead") return [lead, ["tiles", "/api/dashboard-stats"]];
  if (topic === "call")
    return [
      ["live call", "/api/calls/live"],
      ["session", "/api/dialer"],
    ];
  if (topic !== "call-log") return [];
  return [
    ...(rereads === "pages" ? [lead] : []),
    ["tiles", "/api/dashboard-stats"],
    ["needs outcome", "/api/call-logs?needsOutcome=true&limit=50"],
  ];
}

/** Reloads what is due at once, and then in batches. */
function batchReads(person: DeskPerson, everyMs: number) {
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0 || over) return;
    const due = [...waiting];
    waiting.clear();
    timer = setTimeout(flush, everyMs);
    for (const [path, kind] of due) void read(person, kind, path);
  };
  return {
    add: (due: [string, string][]) => {
      for (const [kind, path] of due) waiting.set(path, kind);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Listens to events like the browser, and reloads outdated data in batches. */
function openStream(person: DeskPerson): () => void {
  const batch = batchReads(person, person.role === "admin" ? figuresMs : batchMs);
  const lists = batchReads(person, listsMs);
  const onEvent = (text: string) => {
    const { topic, id } = JSON.parse(text) as { topic: string; id: number };
    const due: [string, string][] =
      person.role === "consultant"
        ? rereadsOf(topic, id)
        : topic === "lead" || topic === "call-log"
          ? [["report", reportOf(person)]]
          : [];
    (person.role === "consultant" && topic === "lead" && id === 0 ? lists : batch).add(due);
  };
  const outgoing = get(
    `${url}/api/events`,
    { headers: { cookie: person.cookie } },
    (stream: IncomingMessage) => {
      let rest = "";
      stream.on("data", (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith('data: {"')) onEvent(line.slice(6));
      });
      stream.on("error", () => undefined);
    },
  );
  outgoing.on("error", () => undefined);
  return () => {
    batch.stop();
    lists.stop();
    outgoing.destroy();
  };
}

const reportOf = ({ userId }: DeskPerson) => `/api/reports/${userId % 2 ? "overview" : "calls"}?range=month`;

/** Repeats an action for the duration of the load, at times that differ between people. */
async function repeat(everySeconds: number, act: () => Promise<unknown>): Promise<void> {
  await sleep(Math.random() * everySeconds * 1_000);
  while (!over) {
    await act();
    await sleep(everySeconds * 1_000 * (0.75 + Math.random() / 2));
  }
}

/** A call from the press to its saved outcome, with all callbacks of the provider. */
async function makeCall(person: DeskPerson): Promise<void> {
  const leadId = pick(person.leadIds);
  const answer = await ask(person, {
    kind: "call",
    method: "POST",
    path: "/api/make-call",
    body: { leadId },
  });
  if (!answer) return;
  const { callSid, callId } = JSON.parse(answer) as { callSid: string; callId: number };
  for (const { waitMs, path, params, kind } of callSteps({
    callSid,
    callId,
    isAnswered: Math.random() < 0.3,
  })) {
    await sleep(waitMs);
    if (over) return;
    await send({ kind, method: "POST", ...signedForm(url, path, params) });
  }
  const outcome = pick(outcomes);
  const body = { leadId, duration: 12, outcome, notes: "Asks for an offer", twilioCallSid: callSid };
  await ask(person, { kind: "outcome", method: "POST", path: "/api/call-logs", body });
  await read(person, "timeline", `/api/leads/${leadId}/timeline?limit=50`);
}

async function search(person: DeskPerson): Promise<void> {
  const word = pick(words).toLowerCase();
  for (const length of [3, 5, word.length]) {
    await read(person, "search", `/api/leads?limit=50&search=${word.slice(0, length)}`);
    await sleep(300);
  }
}

let stamp = 0;
async function patch(person: DeskPerson): Promise<void> {
  stamp += 1;
  const body = { notes: `Asked for an offer, said in call ${stamp}` };
  await ask(person, { kind: "PATCH", method: "PATCH", path: `/api/leads/${pick(person.leadIds)}`, body });
}

async function work(person: DeskPerson): Promise<() => void> {
  await sleep(Math.random() * arrivalSeconds * 1_000);
  const close = openStream(person);
  if (person.role === "admin") {
    void repeat(panelSeconds, () => read(person, "panel", "/api/admin/user-stats"));
    void repeat(2 * panelSeconds, () => read(person, "panel", "/api/admin/system-stats"));
    void repeat(reportSeconds, () => read(person, "report", reportOf(person)));
    return close;
  }
  await Promise.all(firstReads.map(([kind, path]) => read(person, kind, path)));
  void repeat(every.patch, () => patch(person));
  void repeat(every.call, () => makeCall(person));
  void repeat(every.search, () => search(person));
  void repeat(every.timeline, () =>
    read(person, "timeline", `/api/leads/${pick(person.leadIds)}/timeline?limit=50`),
  );
  return close;
}

const closing = [...listeners.map(openStream), ...(await Promise.all(people.map(work)))];
measuring = true;
await sleep(seconds * 1_000);
measuring = false;
over = true;
for (const close of closing) close();
parentPort?.postMessage(result);
agent.destroy();
