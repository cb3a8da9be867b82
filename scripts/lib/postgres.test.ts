import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { killHard, runScript } from "../testing/run-script.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

const start = async (dataDir: string): Promise<Postgres> => {
  const postgres = await startPostgres({ dataDir });
  onTestFinished(() => postgres.stop());
  return postgres;
};

it.runIf(process.platform !== "win32")("protects its log from other accounts, an older log too", async () => {
  const dataDir = makeTemporaryFolder();
  const log = join(dataDir, "postgres.log");
  const modes = () => [log, `${log}.1`].map((file) => statSync(file).mode & 0o777);
  writeFileSync(`${log}.1`, "", { mode: 0o644 });
  await start(dataDir);
  expect(modes()).toEqual([0o600, 0o600]);
  chmodSync(log, 0o644);
  expect(await start(dataDir)).toMatchObject({ adopted: true });
  expect(modes()).toEqual([0o600, 0o600]);
});

it("stores UTF-8 in a folder whose path has a space, and keeps its rows across a restart", async () => {
  const dataDir = makeTemporaryFolder();
  const first = await start(dataDir);
  expect(first.adopted).toBe(false);
  await query(first.url, "CREATE TABLE kept AS SELECT 'José' AS name");
  await first.stop();
  expect(first.isRunning()).toBe(false);
  const second = await start(dataDir);
  expect(await query(second.url, "SELECT upper(name) AS name FROM kept")).toEqual([{ name: "JOSÉ" }]);
});

it("adopts the server of a start that was killed", async () => {
  const dataDir = makeTemporaryFolder();
  const { child, said } = await runScript<{ pid: number; url: string }>(`
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, "postgres.ts"))};
    console.log(JSON.stringify(await startPostgres(${JSON.stringify({ dataDir })})));
    setInterval(() => {}, 1000);
  `);
  await killHard(child);
  const adopted = await start(dataDir);
  expect(adopted).toMatchObject({ adopted: true, pid: said.pid, url: said.url });
  expect(await query(adopted.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

it("starts again after its server was killed", async () => {
  const dataDir = makeTemporaryFolder();
  const killed = await start(dataDir);
  await query(killed.url, "CREATE TABLE kept AS SELECT 1 AS one");
  process.kill(killed.pid, "SIGKILL");
  // The operating system takes some time to end it; until then it responds.
  await vi.waitFor(() => expect(killed.isRunning()).toBe(false), { timeout: 45_000 });
  const next = await start(dataDir);
  expect(next).toMatchObject({ adopted: false, url: killed.url });
  expect(await query(next.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
});

it("is not misled by a stale postmaster.pid whose pid belongs to another process", async () => {
  const dataDir = makeTemporaryFolder();
  const first = await start(dataDir);
  const pidFile = join(first.where, "18/postmaster.pid");
  const stale = readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.ppid));
  await first.stop();
  writeFileSync(pidFile, stale);
  expect(await start(dataDir)).toMatchObject({ adopted: false });
});
