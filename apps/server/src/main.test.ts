import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

const entry = path.join(import.meta.dirname, "main.ts");
const children = new Set<ChildProcess>();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(
    [...children].map(async (child) => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
    }),
  );
  children.clear();
});

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, SANDBOX_PORT: "9", LOG_LEVEL: "info", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const exit = once(child, "exit").then(([code]) => code as number | null);
  return { child, exit, output: () => output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function untilHealthy(port: number): Promise<void> {
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/api/health`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200);
}

async function signIn(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/login/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ana@portal.test", password: "portal-demo" }),
  });
  expect(answer.status).toBe(200);
  return String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
}

describe("the server process", { timeout: 60_000 }, () => {
  it("lists every fault of its environment and exits 1", async () => {
    const { exit, output } = start({ PORT: "0", DATABASE_URL: "mysql://x", MARKET: "MARS" });
    expect(await exit).toBe(1);
    for (const name of ["PORT", "DATABASE_URL", "MARKET"]) expect(output()).toContain(name);
  });

  it("says that its port is taken", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    const { exit, output } = start({ PORT: String(port) });
    expect(await exit).toBe(1);
    expect(output()).toContain(`Port ${port} is taken`);
    holder.close();
  });

  it("serves one database by two processes that share sessions, and logs no secrets", async () => {
    const [one, two] = [await freePort(), await freePort()];
    const first = start({ PORT: String(one) });
    const second = start({ PORT: String(two) });
    await Promise.all([untilHealthy(one), untilHealthy(two)]);
    const cookie = await signIn(one);
    const get = (port: number, route: string) =>
      fetch(`http://127.0.0.1:${port}${route}`, { headers: { cookie }, redirect: "manual" });
    expect((await get(two, "/api/current-user")).status).toBe(200);
    expect((await get(two, "/api/ready")).status).toBe(200);
    await get(one, "/api/logout");
    expect((await get(two, "/api/current-user")).status).toBe(401);
    const logs = first.output() + second.output();
    expect(logs).toContain("signed in");
    expect(logs).not.toContain("portal-demo");
    expect(logs).not.toContain(cookie.split("=")[1]?.slice(0, 20));
  });

  it("ends by SIGTERM with exit code 0, open event streams included", async () => {
    const port = await freePort();
    const { child, exit } = start({ PORT: String(port) });
    await untilHealthy(port);
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
      headers: { cookie: await signIn(port) },
    });
    expect(stream.status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  it("ends when the start script that holds its pipe ends", async () => {
    const port = await freePort();
    const { child, exit } = start({ PORT: String(port), START_PARENT_PIPE: "1" });
    await untilHealthy(port);
    child.stdin?.end();
    expect(await exit).toBe(0);
  });
});
