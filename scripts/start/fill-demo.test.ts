import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "../../apps/server/src/testing/test-database.ts";
import { isUnused } from "../../packages/demo/src/unused.ts";
import { temporarySandbox } from "../../packages/sandbox/src/testing/temporary-sandbox.ts";
import { killHard, runScript } from "../testing/run-script.ts";
import { fillDemo } from "./fill-demo.ts";

const patience = { timeout: 150_000 };
const account = `AC${"1".padStart(32, "0")}`;
const said: string[] = [];

beforeAll(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
});

const prepare = async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const sandbox = await temporarySandbox({ speed: 1 });
  onTestFinished(() => sandbox.close());
  const connect = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const env = { SANDBOX_PORT: new URL(sandbox.url).port, DEMO_HISTORY: "on", NODE_ENV: "test" };
  const start = async (isNew: boolean) => {
    let isStarted = false;
    await fillDemo({
      env,
      isNew,
      database: Promise.resolve(database.url),
      sandbox: Promise.resolve(),
      signal: new AbortController().signal,
      started: () => {
        isStarted = true;
      },
    });
    return isStarted;
  };
  /** The newest thousand SMS of the sandbox's telephony. */
  const textsThere = async () => {
    const authorization = `Basic ${Buffer.from(`${account}:sandbox-auth-token`).toString("base64")}`;
    const list = `${sandbox.url}/twilio/2010-04-01/Accounts/${account}/Messages.json?PageSize=1000`;
    const { messages } = (await (await fetch(list, { headers: { authorization } })).json()) as {
      messages: { sid: string }[];
    };
    return messages.map(({ sid }) => sid);
  };
  return { url: database.url, env, connect, start, textsThere };
};

it.each(["the fill", "the start that runs it"])(
  "fills the demo data again and completely after a start in which %s was killed halfway",
  async (killed) => {
    const { url, env, connect, start, textsThere } = await prepare();
    const [client, holder] = [await connect(), await connect()];
    const count = async (table: string): Promise<number> =>
      (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n;
    // The last table cannot be written: by then the sandbox is filled, and the database except for that table.
    await holder.query("begin; lock table audit_log in share mode");
    const around = await runScript<number>(`
      import { fillDemo } from ${JSON.stringify(join(import.meta.dirname, "fill-demo.ts"))};
      await fillDemo({
        env: ${JSON.stringify(env)}, isNew: true, database: Promise.resolve(${JSON.stringify(url)}),
        sandbox: Promise.resolve(), signal: new AbortController().signal, started: (pid) => console.log(pid),
      });
    `);
    const waiting =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'copy \"audit_log\"%'";
    await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(1), patience);
    expect((await textsThere()).length).toBeGreaterThan(500);
    const isOver = once(around.child, "exit");
    if (killed === "the fill") process.kill(around.said, "SIGKILL");
    else await killHard(around.child);
    await isOver;
    await holder.query("rollback");
    await vi.waitFor(() => expect(() => process.kill(around.said, 0)).toThrow("ESRCH"), patience);
    await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(0), patience);
    expect(await count("leads")).toBe(0);
    expect(await isUnused(client)).toBe(true);

    expect(await start(false)).toBe(true);
    for (const [table, least] of [
      ["leads", 700],
      ["calls", 3_000],
      ["lead_events", 8_000],
      ["audit_log", 3_000],
    ] as const)
      expect(await count(table), table).toBeGreaterThan(least);
    const { rows } = await client.query<{ sid: string }>("select message_sid as sid from messages");
    const known = new Set(rows.map(({ sid }) => sid));
    const there = await textsThere();
    expect(there.length).toBeGreaterThan(500);
    expect(there.filter((sid) => !known.has(sid))).toEqual([]);

    // A filled or used database is not changed.
    const calls = await count("calls");
    expect(await start(false)).toBe(false);
    await start(true);
    expect(await count("calls")).toBe(calls);
  },
);
