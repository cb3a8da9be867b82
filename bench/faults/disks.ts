import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildUser } from "../../apps/server/src/testing/factories.ts";
import { startBenchDatabase } from "../lib/bench-database.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { signIn } from "./consultant.ts";
import { untilReady } from "./kills.ts";
import { ask, findBad, p95, printAnswers, startLoad } from "./steady-load.ts";

const longestMs = 10_500;
/** An import waits up to 20 s for its rows. */
const importMs = 25_000;
/** Maximum file size in bytes that the server may write, which stands for a full disk. */
const fileBytes = 500;
const backupMs = 150_000;
const databaseMb = 400;
const syncMs = 300;

const isThere = (tool: string): boolean => spawnSync("which", [tool]).status === 0;

const importOf = (cookie: string, count: number, name: string) => ({
  path: "/api/import/leads",
  cookie,
  body: {
    leads: Array.from({ length: count }, (_, n) => ({
      name: `Rosa Vidal ${n}`,
      email: `${name}.${n}@example.com`,
      notes: "x".repeat(500),
    })),
    sourceSystem: "JSON Import",
  },
});

/** The server can no longer write to its files: log and backups. */
export async function serverDiskFull(): Promise<string[]> {
  if (!isThere("prlimit")) return ["this case needs prlimit: install util-linux"];
  const folder = mkdtempSync(join(tmpdir(), "portal-disk-"));
  const log = join(folder, "portal.log");
  const bench = await startPortalOnSandbox({
    speed: 20,
    callsPerSecond: 20,
    env: { LOG_LEVEL: "info", BACKUP_DIR: join(folder, "backups") },
    run: { under: ["prlimit", `--fsize=${fileBytes}:unlimited`], log },
  });
  const startedAt = performance.now();
  try {
    const { url, portal, database } = bench;
    const admin = await signIn(url, await buildUser(database, { role: "admin" }));
    const load = await startLoad(bench);
    const logBytes = () => statSync(log).size;
    while (logBytes() < fileBytes && performance.now() - startedAt < 60_000) await sleep(100);
    print(`the log cannot grow beyond ${logBytes()} bytes`);
    const fullAt = performance.now();
    await sleep(5_000);
    const imported = await ask(url, importOf(admin, 2_000, "full"));
    let backup: { failedAt: string | null } | undefined;
    // The portal checks every minute whether a backup is due.
    while (!backup?.failedAt && performance.now() - startedAt < backupMs && portal.isRunning()) {
      await sleep(1_000);
      const { text } = await ask(url, { path: "/api/go-live", cookie: admin });
      backup = text.startsWith("{") ? JSON.parse(text).backup : undefined;
    }
    const meanwhile = load.since(fullAt);
    printAnswers("disk full", meanwhile);
    printAnswers("an import", [imported]);
    print(`memory ${Math.round(portal.memoryMb())} MB; a failed backup is shown since ${backup?.failedAt}`);
    const faults = [
      ...findBad("disk full", meanwhile, longestMs),
      ...findBad("import", [imported], importMs),
      ...(meanwhile.every(({ status }) => (status ?? 500) < 300) ? [] : ["requests fail"]),
      ...(portal.isRunning() ? [] : ["the server ended"]),
      ...(backup?.failedAt ? [] : ["no alert says that no backup can be written"]),
    ];
    spawnSync("prlimit", ["--fsize=unlimited", "--pid", String(portal.pid())]);
    const before = logBytes();
    await sleep(3_000);
    print(`with space again the log grew by ${logBytes() - before} bytes in 3 s`);
    if (logBytes() <= before) faults.push("with space again nothing is logged");
    return [...faults, ...(await load.end())];
  } finally {
    await bench.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills the remaining space of a file system. */
function fillUp(file: string): void {
  for (const size of [1_048_576, 65_536, 4_096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // No space for a chunk of this size any more.
    }
  }
}

/** The database's disk is full: first tables cannot grow, then not even the write-ahead log. */
export async function databaseDiskFull(): Promise<string[]> {
  const where = mkdtempSync(join(tmpdir(), "portal-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${databaseMb}m,mode=755`, "tmpfs", where]);
  if (mounted.status !== 0)
    return [`this case mounts a small tmpfs, which only root may do: ${mounted.stderr}`.trim()];
  const filler = join(where, "filler");
  let bench: PortalOnSandbox | undefined;
  try {
    const database = await startBenchDatabase({ where });
    bench = await startPortalOnSandbox({
      speed: 20,
      callsPerSecond: 20,
      startDatabase: async () => database,
    });
    const { url, portal } = bench;
    const admin = await signIn(url, await buildUser(database.database, { role: "admin" }));
    const load = await startLoad(bench);
    await sleep(3_000);
    printAnswers("before", load.since(0));
    const fullAt = performance.now();
    fillUp(filler);
    await sleep(6_000);
    const full = load.since(fullAt);
    printAnswers(
      "full: reads",
      full.filter(({ kind }) => kind === "read"),
    );
    printAnswers(
      "full: writes",
      full.filter(({ kind }) => kind === "write"),
    );
    const faults = findBad("disk full", full, longestMs);
    const imports = [];
    for (let n = 0; n < 8 && database.isRunning(); n += 1)
      imports.push(await ask(url, importOf(admin, 1_500, `full${n}`)));
    printAnswers("full: imports", imports);
    faults.push(...findBad("imports", imports, importMs));
    await sleep(6_000);
    const ended = !database.isRunning();
    const last = load.since(performance.now() - 10_000);
    printAnswers(ended ? "PostgreSQL ended" : "PostgreSQL goes on", last);
    faults.push(...findBad("PostgreSQL without room for its log", last, longestMs));
    rmSync(filler);
    const freedAt = performance.now();
    const revived = await database.revive();
    await untilReady(url);
    print(
      `with space again${revived ? " and PostgreSQL started again" : ""} ready after ${seconds(performance.now() - freedAt)} s`,
    );
    const calmAt = performance.now();
    await sleep(5_000);
    const after = load.since(calmAt);
    printAnswers("after", after);
    if (!after.every(({ status }) => (status ?? 500) < 300))
      faults.push("requests fail after there is space");
    if (!portal.isRunning()) faults.push("the server ended");
    return [...faults, ...(await load.end())];
  } finally {
    rmSync(filler, { force: true });
    await bench?.stop();
    spawnSync("umount", [where]);
    rmSync(where, { recursive: true, force: true });
  }
}

/** A library that delays PostgreSQL's fsync while a certain file exists. */
const slowSync = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static void wait_for_disk(void) { if (access(SWITCH, F_OK) == 0) usleep(${syncMs * 1_000}); }
int fsync(int fd) { wait_for_disk(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
int fdatasync(int fd) { wait_for_disk(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
`;

/** Each fsync of the database takes a third of a second, as on a worn or overloaded disk. */
export async function slowDisk(): Promise<string[]> {
  if (!isThere("cc")) return ["this case needs a C compiler: install gcc"];
  const folder = mkdtempSync(join(tmpdir(), "portal-disk-"));
  chmodSync(folder, 0o755);
  const [source, library, isSlow] = ["slow.c", "slow.so", "slow"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(source, slowSync);
  const made = spawnSync("cc", ["-shared", "-fPIC", `-DSWITCH="${isSlow}"`, "-o", library, source, "-ldl"]);
  if (made.status !== 0) return [`the library was not made: ${made.stderr}`];
  const database = await startBenchDatabase();
  await database.preload(library);
  const bench = await startPortalOnSandbox({
    speed: 20,
    callsPerSecond: 20,
    startDatabase: async () => database,
  });
  try {
    const load = await startLoad(bench);
    const phase = async (name: string) => {
      const from = performance.now();
      await sleep(15_000);
      const answers = load.since(from);
      const [reads, writes] = [
        answers.filter(({ kind }) => kind === "read"),
        answers.filter(({ kind }) => kind === "write"),
      ];
      printAnswers(`${name}: reads`, reads);
      printAnswers(`${name}: writes`, writes);
      return { answers, reads: p95(reads), writes: p95(writes) };
    };
    const before = await phase("before");
    writeFileSync(isSlow, "");
    const slow = await phase("slow");
    rmSync(isSlow);
    const after = await phase("after");
    const ratio = slow.reads / Math.max(before.reads, after.reads);
    print(`reads on the slow disk take ${ratio.toFixed(2)} × as long, at the 95th percentile`);
    return [
      ...findBad("slow disk", slow.answers, longestMs),
      ...(slow.writes > syncMs ? [] : ["the disk was not slow"]),
      ...(ratio <= 1.5 ? [] : ["reads wait for the disk"]),
      ...(after.answers.every(({ status }) => (status ?? 500) < 300) ? [] : ["requests fail afterwards"]),
      ...(await load.end()),
    ];
  } finally {
    await bench.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
