import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkBackup, readManifest } from "../../apps/server/src/platform/db/backup/backup-file.ts";
import { withSnapshot } from "../../apps/server/src/platform/db/backup/make-backup.ts";
import { openDatabase } from "../../apps/server/src/platform/db/client.ts";
import { buildUser } from "../../apps/server/src/testing/factories.ts";
import { root } from "../../scripts/lib/environment.ts";
import { startPostgres } from "../../scripts/lib/postgres.ts";
import { startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { signIn } from "./consultant.ts";
import { untilSettled } from "./kills.ts";
import { type Acknowledged, findCountFaults, findMarkFaults } from "./ledger.ts";
import { seedPeople, writeMixed } from "./mixed-writes.ts";

const speed = 20;
const writeMs = { before: 15_000, after: 5_000 };
const keys = { BACKUP_KEY: randomBytes(24).toString("hex"), ENCRYPTION_KEY: randomBytes(24).toString("hex") };

/** Runs `npm run db:backup` or `db:restore` as a process of its own. @returns its exit code */
async function task(name: "backup" | "restore", file: string, env: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, "scripts/db-task/main.ts"), name, file], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "test", ...keys, ...env },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`db:${name} ended with ${code}`);
  return performance.now() - startedAt;
}

/** Acknowledged changes that are not in the restored database in their order; later ones may follow. */
async function findLostChanges(url: string, { changes }: Acknowledged): Promise<string[]> {
  return withSnapshot(url, async (client) => {
    const { rows } = await client.query<{ place: string; recorded: string[] }>(
      `select lead_id || ' ' || (data ->> 'field') as place, array_agg(data ->> 'after' order by id) as recorded
       from lead_events where kind = 'changed' group by 1`,
    );
    const found = new Map(rows.map(({ place, recorded }) => [place, recorded]));
    return [...changes].flatMap(([place, values]) => {
      const recorded = found.get(place) ?? [];
      return values.every((value, index) => recorded[index] === value) ? [] : [`lost: a change of ${place}`];
    });
  });
}

/**
 * Users write while `npm run db:backup` makes a backup, which `npm run db:restore` restores into an unused folder, on which a portal
 * starts. @returns whether each write that was acknowledged before the backup exists once, all tables, rows and checksums match the
 * backup's manifest, figures match their rows, and the portal settles pending work and sends no text twice
 */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "portal-bench-backup-"));
  const [file, dataDir] = [join(folder, "x.backup"), join(folder, "restored")];
  const bench = await startPortalOnSandbox({ speed, callsPerSecond: speed, env: keys });
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  try {
    const admin = await buildUser(bench.database, { role: "admin" });
    const people = await seedPeople(bench);
    const over = new AbortController();
    const known: Acknowledged = { marks: new Map(), at: new Map(), changes: new Map() };
    const writing = writeMixed(bench, people, { seed: 1, over: over.signal, acknowledged: known });
    await sleep(writeMs.before);
    const before = structuredClone(known);
    const madeMs = await task("backup", file, { DATABASE_URL: bench.databaseUrl });
    await sleep(writeMs.after);
    over.abort();
    const { acknowledged, tally } = await writing;
    await bench.portal.stop();

    const restoredMs = await task("restore", file, { DATABASE_URL: "", DATA_DIR: dataDir });
    postgres = await startPostgres({ dataDir });
    const { url } = postgres;
    const faults = [...tally.faults, ...(await findLostChanges(url, before))];
    const named = await checkBackup(file, keys.BACKUP_KEY);
    const { tables } = await withSnapshot(url, (client) => readManifest(client, keys.ENCRYPTION_KEY));
    for (const [index, table] of named.tables.entries())
      if (JSON.stringify(table) !== JSON.stringify(tables[index]))
        faults.push(`${JSON.stringify(tables[index])} in place of ${JSON.stringify(table)}`);
    const database = openDatabase({ url, onError: () => undefined });
    try {
      faults.push(...(await findMarkFaults(database, before)));
      const { url: restoredUrl } = await bench.startAnother({ DATABASE_URL: url });
      faults.push(...(await untilSettled({ ...bench, database })), ...(await findCountFaults(database)));
      const cookie = await signIn(restoredUrl, admin);
      const page = await fetch(`${restoredUrl}/api/leads/all?limit=5`, { headers: { cookie } });
      if (!page.ok) faults.push(`the restored portal answered ${page.status}`);
      const { texts } = await bench.control<{ texts: { body: string; direction: string }[] }>(
        "GET",
        "/texts",
      );
      const sent = Map.groupBy(
        texts.filter(({ direction }) => direction === "outbound-api"),
        ({ body }) => body,
      );
      for (const [body, all] of sent)
        if (all.length > 1) faults.push(`"${body}" was sent ${all.length} times`);
    } finally {
      await database.close();
    }
    const count = ({ marks }: Acknowledged) =>
      [...marks.values()].reduce((sum, { length }) => sum + length, 0);
    print(`writes    ${count(acknowledged)} acknowledged, of which ${count(before)} before the backup`);
    print(
      `backup    ${named.tables.length} tables, ${named.tables.reduce((sum, { rows }) => sum + rows, 0)} rows, ${(statSync(file).size / 1e6).toFixed(1)} MB, made in ${Math.round(madeMs)} ms, restored in ${Math.round(restoredMs)} ms`,
    );
    print(`faults    ${faults.length}`);
    for (const fault of faults.slice(0, 40)) print(`          ${fault}`);
    return faults.length === 0;
  } finally {
    await bench.stop();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
