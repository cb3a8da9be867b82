import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox } from "./testing/sandbox.ts";
import { freePort, type ServerProcess, startServer } from "./testing/server-process.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

/** No wait is timed: this only ends one that would never succeed. */
const pollOptions = { timeout: 45_000 };
const servers = new Set<ServerProcess>();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all([...servers].map((server) => server.kill()));
  servers.clear();
});

function start(env: Record<string, string>, log?: number): ServerProcess {
  const server = startServer({ DATABASE_URL: database.url, ...env }, log);
  servers.add(server);
  return server;
}

describe("the server process", { timeout: 60_000 }, () => {
  it("reports every error of its environment and exits with 1", async () => {
    const { exit, output } = start({ PORT: "0", DATABASE_URL: "mysql://x", MARKET: "MARS" });
    expect(await exit).toBe(1);
    for (const name of ["PORT", "DATABASE_URL", "MARKET"]) expect(output()).toContain(name);
  });

  it("reports that its port is in use", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    const { exit, output } = start({ PORT: String(port) });
    expect(await exit).toBe(1);
    expect(output()).toContain(`Port ${port} is taken`);
    holder.close();
  });

  it("reports in one line why its database cannot be used, and exits with 1", async () => {
    const other = new URL(database.url);
    other.pathname = "/not_there";
    const { exit, output } = start({ PORT: "5998", DATABASE_URL: other.toString() });
    expect(await exit).toBe(1);
    expect(output()).toMatch(/^There is no database "not_there" .*\n$/);
  });

  it("waits for a database that is down, and reports it", async () => {
    const { output } = start({ PORT: "5998", DATABASE_URL: "postgresql://portal@127.0.0.1:1/portal" });
    await expect
      .poll(output, pollOptions)
      .toMatch(/^The database at 127\.0\.0\.1:1 does not answer .*Waiting 15 s for it\.\n$/);
  });

  it("serves requests in one process and jobs in another, each with its own health", async () => {
    const ports = { web: await freePort(), worker: await freePort() };
    const web = start({ PORT: String(ports.web), ROLE: "web" });
    await web.untilHealthy();
    const cookie = await web.signIn("admin@portal.test", "portal-admin");
    const client = new pg.Client(database.url);
    await client.connect();
    const states = async () => {
      const { rows } = await client.query("select state from jobs.job where name = 'lead-import'");
      return rows.map(({ state }) => state);
    };
    // The request waits for the other process's work.
    const answer = fetch(`${web.url}/api/import/leads`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ leads: [{ name: "Rosa Roles", phone: "(305) 555-0163" }] }),
    });
    await expect.poll(states, pollOptions).not.toEqual([]);
    expect((await fetch(`${web.url}/api/ready`)).status).toBe(200);
    expect(await states()).toEqual(["created"]);

    const worker = start({ PORT: String(ports.worker), ROLE: "worker" });
    await worker.untilHealthy();
    await expect.poll(states, pollOptions).toEqual(["completed"]);
    expect((await answer).status).toBe(200);
    await client.end();
    const roles = (url: string) => fetch(`${url}/api/ready`).then((answer) => answer.json());
    expect(await roles(web.url)).toMatchObject({ roles: ["web"] });
    expect(await roles(worker.url)).toMatchObject({ roles: ["worker"] });
    for (const path of ["/api/leads", "/api/current-user", "/", "/api/events"])
      expect((await fetch(`${worker.url}${path}`, { headers: { cookie } })).status).toBe(404);
  });

  it("serves one database from two processes that share sessions, and logs no secrets", async () => {
    const [one, two] = [await freePort(), await freePort()];
    const first = start({ PORT: String(one) });
    const second = start({ PORT: String(two) });
    await Promise.all([first.untilHealthy(), second.untilHealthy()]);
    const cookie = await first.signIn("ana@portal.test");
    const get = (port: number, route: string) =>
      fetch(`http://127.0.0.1:${port}${route}`, { headers: { cookie }, redirect: "manual" });
    expect((await get(two, "/api/current-user")).status).toBe(200);
    expect((await get(two, "/api/ready")).status).toBe(200);
    await get(one, "/api/logout");
    // The other process is notified.
    await expect.poll(async () => (await get(two, "/api/current-user")).status, pollOptions).toBe(401);
    // Log lines are buffered and written a moment later.
    await expect.poll(() => first.output(), pollOptions).toContain("signed in");
    const logs = first.output() + second.output();
    expect(logs).not.toContain("portal-demo");
    expect(logs).not.toContain(cookie.split("=")[1]?.slice(0, 20));
  });

  it("exits with code 0 on SIGTERM, with open event streams", async () => {
    const port = await freePort();
    const proxied = { PUBLIC_URL: "https://portal.example.com" };
    const { child, exit, url, untilHealthy, signIn, output } = start({ PORT: String(port), ...proxied });
    await untilHealthy();
    await expect.poll(output, pollOptions).toContain("Set TRUST_PROXY");
    const stream = await fetch(`${url}/api/events`, { headers: { cookie: await signIn("ana@portal.test") } });
    expect(stream.status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  it("completes a running request at SIGTERM, and does not wait for idle connections", async () => {
    const sandbox = await startTestSandbox({ seedLeads: 1 });
    const port = await freePort();
    const { child, exit, url, untilHealthy, signIn } = start({ ...sandbox.env, PORT: String(port) });
    await untilHealthy();
    const silent = connect(port, "127.0.0.1");
    await once(silent, "connect");
    const headers = { cookie: await signIn("ana@portal.test") };
    await sandbox.control("POST", "/latency", { vendor: "ghl", ms: 60_000 });
    const slow = fetch(`${url}/api/ghl/status`, { headers });
    await expect
      .poll(async () => (await sandbox.control("GET", "/requests?vendor=ghl")).requests.length, pollOptions)
      .toBe(1);
    child.kill("SIGTERM");
    // Only a process that has received the signal refuses new requests.
    await expect
      .poll(
        () =>
          fetch(`${url}/api/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        pollOptions,
      )
      .toBe(false);
    await sandbox.control("DELETE", "/latency");
    expect(await (await slow).json()).toMatchObject({ connected: true });
    expect(await exit).toBe(0);
    silent.destroy();
    await sandbox.close();
  });

  it("survives the loss of every database connection, and keeps what it acknowledged", async () => {
    const { child, url, untilHealthy, signIn, output } = start({ PORT: String(await freePort()) });
    await untilHealthy();
    const headers = { cookie: await signIn("ana@portal.test") };
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const count = async () => (await client.query("select count(*)::int as n from leads")).rows[0].n;
    const before = await count();
    let acknowledged = 0;
    for (let round = 0; round < 5; round += 1) {
      const writes = Array.from({ length: 12 }, () =>
        fetch(`${url}/api/sample-data`, { method: "POST", headers }).then(({ status }) => status),
      );
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      for (const status of await Promise.all(writes)) {
        expect([200, 503]).toContain(status);
        if (status === 200) acknowledged += 1;
      }
    }
    await expect.poll(async () => (await fetch(`${url}/api/ready`)).status, pollOptions).toBe(200);
    expect(child.exitCode).toBeNull();
    expect(output()).not.toContain("unhandled");
    // A write whose response was lost may or may not exist; every acknowledged one does.
    expect((await count()) - before).toBeGreaterThanOrEqual(acknowledged * 5);
    await client.end();
  });

  it("survives a full log disk, keeps its compile cache across a kill, and exits when the start script that holds its pipe exits", async () => {
    const port = await freePort();
    const cache = mkdtempSync(join(tmpdir(), "portal-compiled-"));
    // A file of Linux that has no room for anything.
    const full = existsSync("/dev/full") ? openSync("/dev/full", "w") : undefined;
    const env = { PORT: String(port), START_PARENT_PIPE: "1", NODE_COMPILE_CACHE: cache };
    const { child, exit, untilHealthy, signIn } = start(env, full);
    if (full !== undefined) closeSync(full);
    await untilHealthy();
    await signIn("ana@portal.test");
    await expect.poll(() => readdirSync(cache, { recursive: true }).length, pollOptions).toBeGreaterThan(1);
    expect(child.exitCode).toBeNull();
    child.stdin?.end();
    expect(await exit).toBe(0);
    rmSync(cache, { recursive: true });
  });
});
