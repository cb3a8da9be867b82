import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildLead, buildUser, type TestUser } from "../../apps/server/src/testing/factories.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { callLead, signIn } from "./consultant.ts";
import { untilReady } from "./kills.ts";
import { type Answered, ask, findBad, type Load, p95, printAnswers, startLoad } from "./steady-load.ts";

const atOnce = 50;
/** Maximum time for a response, in addition to the usual one on this machine. */
const messageMs = 12_000;
/** A sync continues in the background; its request ends earlier with the figures so far. */
const syncMs = 22_000;
const calmMs = 8_000;
/** How long a provider is silent at least: 50 requests at once are a burst of work, by which alone the lists must not be judged. */
const observedMs = 12_000;
/** Maximum slowdown of the lists meanwhile: a factor, and a margin in ms for a busy machine. */
const slower = { times: 1.2, ms: 100 };

interface Person {
  user: TestUser;
  cookie: string;
  leadId: number;
}

/** Adds people, each with a phone and a lead; at most 50. */
async function addPeople({ url, database }: PortalOnSandbox, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < count; n += 1) {
    // The sandbox's phones that end with 0 to 4 answer calls and receive texts.
    const ending = `01${Math.floor(n / 5)}${n % 5}`;
    const user = await buildUser(database, { phone: `(786) 555-${ending}` });
    const lead = await buildLead(database, { assignedTo: user.id, phone: `(407) 555-${ending}` });
    people.push({ user, cookie: await signIn(url, user), leadId: lead.id });
  }
  return people;
}

/** Connects a user's Google calendar by consent. */
async function connectGoogle({ url, sandboxUrl }: PortalOnSandbox, { user, cookie }: Person): Promise<void> {
  const asked = await ask(url, { path: "/api/google/auth", cookie });
  const { searchParams, search } = new URL(JSON.parse(asked.text).authUrl);
  const form = new URLSearchParams({ request: search.slice(1), account: user.email, decision: "allow" });
  for (const scope of String(searchParams.get("scope")).split(" ")) form.append("scope", scope);
  const page = await fetch(`${sandboxUrl}/google/consent`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const back = new URL(String(page.headers.get("location")));
  await fetch(`${url}${back.pathname}${back.search}`, { headers: { cookie }, redirect: "manual" });
}

/** Installs the CRM's app, with a token that has to be renewed every few seconds. */
async function installCrmApp({ url, sandboxUrl, control }: PortalOnSandbox, cookie: string): Promise<void> {
  await control("POST", "/ghl/app", { expiresIn: 1 });
  const asked = await ask(url, { path: "/api/crm/install", cookie, method: "POST" });
  const form = new URLSearchParams({
    request: new URL(JSON.parse(asked.text).installUrl).search.slice(1),
    location: "loc0000000000000001",
    decision: "install",
  });
  const page = await fetch(`${sandboxUrl}/ghl-marketplace/install`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const back = new URL(String(page.headers.get("location")));
  await fetch(`${url}${back.pathname}${back.search}`, { headers: { cookie }, redirect: "manual" });
}

const callOf = ({ cookie, leadId }: Person) => ({ path: "/api/make-call", cookie, body: { leadId } });
const textOf = ({ cookie, leadId }: Person) => ({
  path: `/api/leads/${leadId}/sms`,
  cookie,
  body: { message: "Hola", clientRef: randomUUID() },
});
function meetingOf({ cookie, leadId }: Person, n: number) {
  const startTime = new Date(Date.now() + 86_400_000 + n * 3_600_000).toISOString();
  const endTime = new Date(Date.parse(startTime) + 1_800_000).toISOString();
  const body = { title: `Meeting ${n}`, startTime, endTime, leadId, clientRef: randomUUID() };
  return { path: "/api/calendar/events", cookie, body };
}

const lists = (answers: Answered[]) => answers.filter(({ kind }) => kind === "read");

/** Compares the lists' 95th percentile during a fault with the slower one of before and after. */
function findSlower(phase: string, usualMs: number, answers: Answered[]): string[] {
  const ms = p95(lists(answers));
  print(
    `  lists ${(ms / usualMs).toFixed(2)} × as long as usual (${Math.round(usualMs)} ms at the 95th percentile)`,
  );
  return ms > usualMs * slower.times && ms > usualMs + slower.ms ? [`${phase}: the lists are slower`] : [];
}

async function usualMs(load: Load): Promise<number> {
  const from = performance.now();
  await sleep(calmMs);
  return p95(lists(load.since(from)));
}

/** A provider's failure with a message (502) is an expected response. */
const asAnswered = (answers: Answered[]) =>
  answers.map((answer) =>
    answer.status === 502 && answer.text.includes('"message"') ? { ...answer, status: 503 } : answer,
  );

/** Every provider accepts requests and never responds, step by step, for 50 people at once. */
export async function providerHangs(): Promise<string[]> {
  const bench = await startPortalOnSandbox({ speed: 20, callsPerSecond: 1_000 });
  const { url, control, database, portal } = bench;
  try {
    const people = await addPeople(bench, atOnce);
    const admin = await signIn(url, await buildUser(database, { role: "admin" }));
    const [first] = people as [Person];
    for (const person of people.slice(0, 5)) await connectGoogle(bench, person);
    const tally = { sent: 0, acknowledged: 0, unanswered: 0 };
    const stateOf = async (leadId: number) =>
      (
        await database.pool.query<{ state: string }>(
          "select state from calls where lead_id = $1 order by id desc limit 1",
          [leadId],
        )
      ).rows[0]?.state ?? null;
    await callLead({ url, cookie: first.cookie, leadId: first.leadId, tally, stateOf });
    await bench.untilSettled(60_000);
    const { rows } = await database.pool.query<{ sid: string }>(
      "select recording_sid as sid from recordings where status = 'completed' limit 1",
    );
    const load = await startLoad(bench);
    const faults: string[] = [];
    const get = (path: string, count = 10) => Array.from({ length: count }, () => ({ path, cookie: admin }));
    type Request = Parameters<typeof ask>[1];
    const steps: {
      name: string;
      vendor: string;
      match?: string;
      longestMs?: number;
      ask: () => Request[];
    }[] = [
      { name: "call", vendor: "twilio", match: "Calls.json", ask: () => people.map(callOf) },
      { name: "text", vendor: "twilio", match: "Messages.json", ask: () => people.map(textOf) },
      {
        name: "recording",
        vendor: "twilio",
        match: "Recordings",
        ask: () => get(`/api/twilio/recording/${rows[0]?.sid}`),
      },
      { name: "diagnostics of Twilio", vendor: "twilio", ask: () => get("/api/diagnostics/twilio") },
      { name: "status of the CRM", vendor: "ghl", ask: () => get("/api/ghl/status", atOnce) },
      {
        name: "sync page",
        vendor: "ghl",
        longestMs: syncMs,
        ask: () => [{ path: "/api/ghl/sync", cookie: admin, method: "POST" }],
      },
      { name: "meeting", vendor: "google", ask: () => people.map(meetingOf) },
      {
        name: "calendar",
        vendor: "google",
        ask: () =>
          people.slice(0, 5).map(({ cookie }) => ({ path: "/api/google/sync", cookie, method: "POST" })),
      },
      {
        name: "token of the CRM",
        vendor: "ghl",
        match: "/oauth/token",
        ask: () => get("/api/diagnostics/ghl"),
      },
    ];
    for (const step of steps) {
      if (step.match === "/oauth/token") await installCrmApp(bench, admin);
      const before = await usualMs(load);
      await control("POST", "/fail", { vendor: step.vendor, match: step.match, hang: true, count: 10_000 });
      const from = performance.now();
      const [answers] = await Promise.all([
        Promise.all(step.ask().map((request) => ask(url, request, "write"))),
        sleep(observedMs),
      ]);
      const meanwhile = load.since(from);
      await control("DELETE", "/fail");
      printAnswers(step.name, answers);
      const words = answers.find(({ status }) => (status ?? 0) >= 300)?.text ?? answers[0]?.text;
      print(`  ${words?.slice(0, 200)}`);
      // An open circuit stays open for ten seconds.
      const after = Math.max(before, await usualMs(load));
      faults.push(...findSlower(step.name, after, meanwhile));
      faults.push(...findBad(step.name, asAnswered(answers), (step.longestMs ?? messageMs) + after));
      faults.push(...findBad(`others during ${step.name}`, meanwhile, 10_500));
    }
    // The portal asks the provider about a call that may have been placed, and then gives up on it.
    const again = await Promise.all([...people.slice(0, 5).map(textOf)].map((request) => ask(url, request)));
    printAnswers("texts afterwards", again);
    if (!again.every(({ status }) => (status ?? 500) < 300)) faults.push("texts fail afterwards");
    if (!portal.isRunning()) faults.push("the server ended");
    return [...faults, ...(await load.end())];
  } finally {
    await bench.stop();
  }
}

const nameServer = "127.0.0.77";
const providerName = "provider.example";

/** A name server that resolves every name to one address, or never responds. */
async function startNameServer() {
  const socket = createSocket("udp4");
  let isUnavailable = false;
  let asked = 0;
  socket.on("message", (question, { port, address }) => {
    asked += 1;
    if (isUnavailable) return;
    const end = question.indexOf(0, 12) + 5;
    const isV4 = question.readUInt16BE(end - 4) === 1;
    const answer = Buffer.concat([
      question.subarray(0, end),
      // The answer record: the question's name, type A, class IN, TTL 0, four bytes of address.
      ...(isV4 ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])] : []),
    ]);
    answer.writeUInt16BE(0x8180, 2);
    answer.writeUInt16BE(isV4 ? 1 : 0, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(answer, port, address);
  });
  socket.bind(53, nameServer);
  await once(socket, "listening");
  return {
    setUnavailable(value: boolean) {
      isUnavailable = value;
    },
    asked: () => asked,
    close: () => socket.close(),
  };
}

/** The portal addresses its providers by names that only this name server resolves; then it stops responding. */
export async function withoutNames(): Promise<string[]> {
  const names = await startNameServer().catch((error: Error) => error);
  if (names instanceof Error)
    return [`this case runs a name server at ${nameServer}:53, which only root may do: ${names.message}`];
  const folder = mkdtempSync(join(tmpdir(), "portal-names-"));
  const file = join(folder, "resolv.conf");
  writeFileSync(file, `nameserver ${nameServer}\n`);
  // Only this process uses the file as its resolv.conf, by a mount namespace; other processes resolve names as before.
  const script = `mount --bind ${file} /etc/resolv.conf && exec "$@"`;
  const bench = await startPortalOnSandbox({
    speed: 20,
    callsPerSecond: 1_000,
    run: { under: ["unshare", "--mount", "sh", "-c", script, "sh"] },
    portalEnv: (sandboxUrl) => {
      const origin = sandboxUrl.replace("127.0.0.1", providerName);
      return {
        TWILIO_BASE_URL: `${origin}/twilio`,
        GHL_BASE_URL: `${origin}/ghl`,
        GOOGLE_BASE_URL: origin,
      };
    },
  });
  const { url, database, portal } = bench;
  try {
    const people = await addPeople(bench, atOnce);
    const others: TestUser[] = [];
    for (let n = 0; n < 20; n += 1) others.push(await buildUser(database));
    const load = await startLoad(bench);
    const faults: string[] = [];
    const texts = await Promise.all(people.slice(0, 9).map((person) => ask(url, textOf(person))));
    printAnswers("texts before", texts);
    if (!texts.every(({ status, text }) => status === 200 && !text.includes('"requested"')))
      faults.push("texts are not sent even with a name server");
    /** One after the other, because each takes a processor's full time. */
    const signInEach = async (users: TestUser[]) => {
      const waits = [];
      for (const user of users) {
        const at = performance.now();
        await signIn(url, user);
        waits.push(performance.now() - at);
      }
      return Math.max(...waits);
    };
    const signedInMs = await signInEach(others.slice(0, 10));
    const before = await usualMs(load);

    const [from, askedBefore] = [performance.now(), names.asked()];
    names.setUnavailable(true);
    const doing = Promise.all(people.map((person, n) => ask(url, n % 2 ? callOf(person) : textOf(person))));
    await sleep(1_000);
    const signedInWithoutMs = await signInEach(others.slice(10));
    const status = ask(url, { path: "/api/ghl/status", cookie: people[0]?.cookie ?? "" });
    const answers = [...(await doing), await status];
    const meanwhile = load.since(from);
    printAnswers("without names", answers);
    print(`  ${answers.find(({ status }) => (status ?? 0) >= 300)?.text.slice(0, 200)}`);
    print(`  ${names.asked() - askedBefore} questions swallowed`);
    print(
      `  signing in took ${seconds(signedInMs)} s at the longest before, ${seconds(signedInWithoutMs)} s meanwhile`,
    );
    faults.push(
      ...findBad("without names", asAnswered(answers), messageMs + before),
      ...findBad("others", meanwhile, 10_500),
    );
    if (names.asked() === askedBefore) faults.push("no name was asked for");
    if (signedInWithoutMs > signedInMs * 3 + 2_000) faults.push("nobody can sign in meanwhile");

    names.setUnavailable(false);
    const backAt = performance.now();
    let isBack = false;
    for (const person of people) {
      const answer = await ask(url, textOf(person));
      isBack = answer.status === 200 && !answer.text.includes('"requested"');
      if (isBack) break;
      await sleep(1_000);
    }
    if (!isBack) faults.push("no text is sent with names again");
    print(`  texts are sent again after ${seconds(performance.now() - backAt)} s`);
    if (performance.now() - backAt > 30_000) faults.push("it takes too long until texts are sent again");
    faults.push(...findSlower("without names", Math.max(before, await usualMs(load)), meanwhile));
    await untilReady(url);
    if (!portal.isRunning()) faults.push("the server ended");
    return [...faults, ...(await load.end())];
  } finally {
    await bench.stop();
    names.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
