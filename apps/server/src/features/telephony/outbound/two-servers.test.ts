import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "../../../platform/db/client.ts";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { startTestSandbox, type TestSandbox } from "../../../testing/sandbox.ts";
import { freePort, type ServerProcess, startServer } from "../../../testing/server-process.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../../testing/test-database.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

/** The outcomes of phones with this last digit. */
const results: Record<string, string> = { 0: "answered", 5: "busy", 6: "no_answer", 7: "voicemail" };
const households = 10;

let database: TestDatabase;
let sandbox: TestSandbox;
let db: Database;
let ports: [number, number];
let entrance: Awaited<ReturnType<typeof openEntrance>>;
const servers: ServerProcess[] = [];

/** A proxy for several servers that forwards to a live one. */
async function openEntrance(alive: () => number[]) {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, [port, ...others]: number[]): void => {
    if (!port) return void from.destroy();
    const to = connect(port, "127.0.0.1");
    to.once("connect", () => {
      from.pipe(to).pipe(from);
      from.once("close", () => to.destroy());
      to.once("close", () => from.destroy());
    });
    to.once("error", () => (to.connecting ? pass(from, others) : from.destroy()));
  };
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => socket.destroy()));
    pass(socket, alive());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await startTestSandbox({ speed: 60, seedLeads: 1 });
  db = openTestDatabase(database);
  ports = [await freePort(), await freePort()];
  let turn = 0;
  entrance = await openEntrance(() => {
    turn += 1;
    return turn % 2 ? ports : ports.toReversed();
  });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  entrance.close();
  await sandbox.close();
  await db.close();
  await database.drop();
});

async function serve(port: number): Promise<ServerProcess> {
  const server = startServer({
    ...sandbox.env,
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: entrance.url,
    TWILIO_CPS: "1000",
    LOG_LEVEL: "warn",
  });
  servers.push(server);
  await server.untilHealthy();
  return server;
}

interface Rep {
  id: number;
  phone: string;
  cookie: string;
  leadIds: number[];
}

/** A consultant with one lead in each household. */
async function consultant(at: ServerProcess, email: string, phones: string[]): Promise<Rep> {
  const { rows } = await db.pool.query(
    "select id, personal_phone_e164 as phone from users where email = $1",
    [email],
  );
  const [{ id, phone }] = rows;
  const made = phones.map((number) => buildLead(db, { phone: number, assignedTo: id }));
  return { id, phone, cookie: await at.signIn(email), leadIds: (await Promise.all(made)).map((l) => l.id) };
}

/** Calls all of the consultant's leads at once; returns the responses, null for a server that died. */
function clickAll(server: ServerProcess, { cookie, leadIds }: Rep) {
  const clicks = leadIds.map(async (leadId) => {
    const answer = await fetch(`${server.url}/api/make-call`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ leadId }),
    });
    return { status: answer.status, ...((await answer.json()) as { callSid?: string; code?: string }) };
  });
  return Promise.all(clicks.map((click) => click.catch(() => null)));
}

interface Leg {
  sid: string;
  parentSid: string | null;
  number: string;
  status: string;
}
const legs = async (): Promise<Leg[]> => (await sandbox.control("GET", "/calls")).calls;
const asked = async (): Promise<{ method: string; path: string }[]> => {
  const { requests } = await sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
  return requests.filter(({ method }: { method: string }) => method === "POST");
};

/** The consultant answers and presses 1. */
async function takeCall({ phone }: Rep): Promise<void> {
  const act = (what: string, body = {}) =>
    sandbox.control("POST", `/calls/${encodeURIComponent(phone)}/${what}`, body);
  const leg = (status: string) =>
    eventually(`${status} of ${phone}`, async () =>
      (await legs()).find((one) => one.number === phone && one.status === status),
    );
  await leg("ringing");
  await act("answer");
  const { sid } = await leg("in-progress");
  await eventually("the question", async () => {
    await act("press", { digits: "1" });
    return (await legs()).find(({ parentSid }) => parentSid === sid);
  });
}

it("dials nobody twice and loses no result when one of two servers is killed during twenty calls", async () => {
  const [one, two] = await Promise.all(ports.map(serve));
  if (!one || !two) throw new Error("two servers were to run");
  const digits = Object.keys(results);
  const phones = Array.from({ length: households }, (_, i) => `(407) 555-01${i}${digits[i % digits.length]}`);
  const ana = await consultant(one, "ana@portal.test", phones);
  const luis = await consultant(one, "luis@portal.test", phones);
  for (const { phone } of [ana, luis])
    await sandbox.control("POST", "/phones", { number: phone, mode: "manual" });

  // The first server dies while the provider processes its requests.
  await sandbox.control("POST", "/latency", {
    vendor: "twilio",
    match: "Calls.json",
    method: "POST",
    ms: 60_000,
  });
  const clicks = Promise.all([clickAll(one, ana), clickAll(two, luis)]);
  await eventually("both to be asked for", async () => (await asked()).length === 2);
  await one.kill();
  await sandbox.control("DELETE", "/latency");
  const [lost, kept] = await clicks;
  expect(lost.some((answer) => answer === null)).toBe(true);
  expect(kept.filter((answer) => answer?.status === 200)).toHaveLength(1);

  // Ana calls all again: she is on a call, or it is the same call.
  const again = await clickAll(two, ana);
  const same = again.filter((answer) => answer?.status === 200);
  expect(same).toHaveLength(1);
  for (const answer of again) expect(["rep_on_call", "lead_on_call", undefined]).toContain(answer?.code);
  await Promise.all([takeCall(ana), takeCall(luis)]);
  const rows = await eventually("both calls to settle", async () => {
    const { rows } = await db.pool.query("select * from calls where settled order by id");
    return rows.length === 2 && rows;
  });

  expect(await asked()).toHaveLength(2);
  const { rows: made } = await db.pool.query("select count(*)::int as n from calls");
  expect(made[0].n).toBe(2);
  expect(new Set(rows.map((call) => call.lead_number)).size).toBe(2);
  const all = await legs();
  for (const call of rows) {
    expect(all.filter(({ number }) => number === call.rep_number).map(({ sid }) => sid)).toEqual([
      call.call_sid,
    ]);
    const rung = all.filter(({ parentSid }) => parentSid === call.call_sid);
    expect(rung.map(({ number }) => number)).toEqual([call.lead_number]);
    expect(call.result).toBe(results[call.lead_number.at(-1)]);
    const { rows: logs } = await db.pool.query("select * from call_logs where call_id = $1", [call.id]);
    expect(logs).toMatchObject([
      { outcome: call.result, confirmed: false, duration_seconds: call.duration_seconds },
    ]);
  }
});

it("an open line works across two servers, and continues on one when the other is killed during a talk", async () => {
  await Promise.all(servers.map((server) => server.kill()));
  const [one, two] = await Promise.all(ports.map(serve));
  if (!one || !two) throw new Error("two servers were to run");
  const [talks, follows] = ["(407) 555-0191", "(407) 555-0192"];
  const rep = await consultant(two, "luis@portal.test", [talks, follows]);
  const phone = (number: string, more: object) =>
    sandbox.control("POST", "/phones", { number, mode: "auto", ...more });
  const before = (await legs()).filter(({ number }) => number === rep.phone).length;
  await phone(rep.phone, { script: { press: ["1"] } });
  for (const number of [talks, follows]) await phone(number, { script: { talk: 36_000 } });
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { cookie: rep.cookie, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(`${two.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { id: number; session: DialerSession };
  };
  const started = await ask("POST", "/api/dialer/start", {
    source: { kind: "selection", leadIds: rep.leadIds },
    ...{ lineMode: "open_line", brief: "off", delaySeconds: 3 },
  });
  const session = async () => (await ask("GET", "/api/dialer")).session;
  const until = (step: string, position: number) =>
    eventually(`${step} of lead ${position}`, async () => {
      const seen = await session();
      return seen.step === step && seen.position === position && seen;
    });
  const { call } = await until("talking", 0);
  await one.kill();
  const leg = (await legs()).find(({ sid }) => sid === call?.callSid);
  expect(leg).toMatchObject({ status: "in-progress" });
  await sandbox.control("POST", `/calls/${leg?.sid}/hangup`);
  await until("wrap_up", 0);
  await ask("POST", `/api/dialer/${started.id}/wrap-up`, { callId: call?.id, outcome: "busy" });
  await until("talking", 1);
  const all = await legs();
  const lines = all.filter(({ number }) => number === rep.phone);
  expect(lines).toHaveLength(before + 1);
  const line = lines.find(({ status }) => status === "in-progress");
  await ask("POST", `/api/dialer/${started.id}/command`, { command: "stop", position: 1 });
  await sandbox.control("POST", `/calls/${line?.sid}/hangup`);
  const rows = await eventually("both calls to settle", async () => {
    const { rows } = await db.pool.query(
      "select c.*, g.outcome, g.confirmed from calls c join call_logs g on g.call_id = c.id where c.line_id is not null and c.settled order by c.id",
    );
    return rows.length === 2 && rows;
  });
  const rung = (await legs()).filter(({ parentSid }) => parentSid === line?.sid);
  expect(rung.map(({ sid, status }) => [sid, status]).toSorted()).toEqual(
    rows.map((row) => [row.call_sid, "completed"]).toSorted(),
  );
  expect(rows.map(({ result, outcome, confirmed }) => [result, outcome, confirmed])).toEqual([
    ["answered", "busy", true],
    ["answered", "answered", false],
  ]);
});
