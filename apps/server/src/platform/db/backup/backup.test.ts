import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillDemo } from "../../../../../../packages/demo/src/fill.ts";
import { startTestSandbox } from "../../../testing/sandbox.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../../../testing/test-database.ts";
import { checkBackup, readManifest } from "./backup-file.ts";
import { makeBackup, withSnapshot } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

const encryptionKey = "an-encryption-key-of-the-portal-0123";
const plain = { backupKey: null, encryptionKey };
const secret = { backupKey: "a-key-for-backups-0123456789-abcdef", encryptionKey };
/** A word that occurs in the demo's texts, names and notes. */
const personal = "portal.test";

const folder = mkdtempSync(path.join(tmpdir(), "portal-backup-test-"));
const fileOf = (name: string) => path.join(folder, name);
const open: { drop(): Promise<void> }[] = [];
let source: TestDatabase;
let app: TestApp;

const emptyDatabase = async (): Promise<TestDatabase> => {
  const database = await createEmptyDatabase();
  open.push(database);
  return database;
};
const manifestOf = ({ url }: { url: string }) =>
  withSnapshot(url, (client) => readManifest(client, encryptionKey));

async function tablesOf({ url }: TestDatabase): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as n from pg_class where relkind in ('r', 'S') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'",
  );
  await client.end();
  return rows[0].n;
}

beforeAll(async () => {
  source = await createTestDatabase();
  const sandbox = await startTestSandbox({ seedLeads: 1 });
  await fillDemo({
    databaseUrl: source.url,
    sandboxUrl: sandbox.url,
    timeZone: "America/New_York",
    production: false,
  });
  await sandbox.close();
  app = await buildTestApp({ databaseUrl: source.url, jobs: true });
});
afterAll(async () => {
  await app.close();
  await Promise.all(open.map((database) => database.drop()));
  await source.drop();
  rmSync(folder, { recursive: true });
});

describe("a backup of a running portal", () => {
  it("is a consistent snapshot that restores every row, and the portal starts on it", async () => {
    const rep = await app.signIn();
    let writes = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        const { status } = await rep.post("/api/sample-data");
        expect(status).toBe(200);
        writes += 1;
      }
    })();
    const made = await makeBackup({ url: source.url, file: fileOf("drill.backup") }, secret);
    isOver = true;
    await writing;
    expect(writes).toBeGreaterThan(0);
    expect(readFileSync(made.file).includes(personal)).toBe(false);
    const said = await checkBackup(made.file, secret.backupKey);
    expect(said.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(25);

    const place = await emptyDatabase();
    const restored = await restoreBackup({ url: place.url, file: made.file }, secret);
    expect(restored).toMatchObject({ rows: made.rows, migrated: 0, isSameKey: true });
    // Read again from the restored database: all tables, their rows and checksums, and the sequences' values.
    const { tables, sequences } = await manifestOf(place);
    expect({ tables, sequences }).toEqual({ tables: said.tables, sequences: said.sequences });

    const second = await buildTestApp({ databaseUrl: place.url, jobs: true });
    const admin = await second.signIn({ role: "admin" });
    const { status, body } = await admin.get("/api/leads/all?limit=5");
    expect([status, body.length]).toEqual([200, 5]);
    // New rows get ids that no restored row has.
    const newcomer = await second.signIn();
    expect((await newcomer.post("/api/sample-data")).status).toBe(200);
    await second.close();
    expect(await schemaOf(place.url)).toEqual(await schemaOf(source.url));
  });
});

/** Constraints, indexes and triggers as PostgreSQL prints them. */
async function schemaOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as line from pg_constraint
       where connamespace::regnamespace::text in ('public', 'drizzle', 'jobs') and conrelid <> 0 and conrelid::regclass::text not like '%queue_stats%'
     union all select pg_get_indexdef(indexrelid) from pg_index where indrelid::regclass::text !~ '^pg_|queue_stats'
       and indrelid::regclass::text not like 'pg_toast%'
     union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal order by 1`,
  );
  await client.end();
  return rows.map(({ line }) => line);
}

describe("a restore", () => {
  beforeAll(async () => {
    await makeBackup({ url: source.url, file: fileOf("plain.backup") }, plain);
    await makeBackup({ url: source.url, file: fileOf("secret.backup") }, secret);
  });

  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    writeFileSync(fileOf(`changed-${name}`), change(readFileSync(fileOf(name))));
    return fileOf(`changed-${name}`);
  };
  const flipped = (at: number) => (bytes: Buffer) => {
    const index = Math.floor(bytes.length * at);
    bytes.writeUInt8((bytes[index] ?? 0) ^ 0xff, index);
    return bytes;
  };
  const cut = (at: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * at));
  const faults: [string, () => string, typeof plain | typeof secret, RegExp][] = [
    ["an invalid file", () => path.join(import.meta.dirname, "encrypt-file.ts"), plain, /is no backup/],
    ["a missing file", () => fileOf("nothing.backup"), plain, /cannot be read/],
    ["a missing key", () => fileOf("secret.backup"), plain, /^The backup is encrypted: set BACKUP_KEY/],
    [
      "a wrong key",
      () => fileOf("secret.backup"),
      { ...secret, backupKey: "another-key-for-backups-0123456789" },
      /encrypted with another key/,
    ],
    ["a truncated file", () => changed("plain.backup", cut(0.9)), plain, /ends too early/],
    ["a truncated encrypted file", () => changed("secret.backup", cut(0.9)), secret, /ends too early/],
    ["a damaged file", () => changed("plain.backup", flipped(0.5)), plain, /damaged/],
    ["a damaged encrypted file", () => changed("secret.backup", flipped(0.5)), secret, /damaged/],
  ];

  it.each(faults)("reports %s in one sentence", async (_, file, { backupKey }, sentence) => {
    await expect(checkBackup(file(), backupKey)).rejects.toThrow(sentence);
  });

  it("leaves the target empty when it fails halfway", async () => {
    const place = await emptyDatabase();
    const file = changed("secret.backup", flipped(0.9));
    await expect(restoreBackup({ url: place.url, file }, secret)).rejects.toThrow(/damaged/);
    expect(await tablesOf(place)).toBe(0);
  });

  it("never overwrites existing data", async () => {
    const before = await manifestOf(source);
    await expect(restoreBackup({ url: source.url, file: fileOf("plain.backup") }, plain)).rejects.toThrow(
      /is not empty/,
    );
    const leadsIn = ({ tables }: typeof before) => tables.find(({ name }) => name === "leads");
    expect(leadsIn(await manifestOf(source))).toEqual(leadsIn(before));
  });

  it("reports that the secrets in the database were encrypted with another key", async () => {
    const place = await emptyDatabase();
    const keys = { ...plain, encryptionKey: "another-encryption-key-of-the-portal" };
    const { isSameKey } = await restoreBackup({ url: place.url, file: fileOf("plain.backup") }, keys);
    expect(isSameKey).toBe(false);
  });

  it("decrypts with the previous key a backup made with it, and its secrets", async () => {
    const place = await emptyDatabase();
    const keys = {
      backupKey: "another-key-for-backups-0123456789",
      encryptionKey: "another-encryption-key-of-the-portal",
      previous: secret,
    };
    const restored = await restoreBackup({ url: place.url, file: fileOf("secret.backup") }, keys);
    expect(restored.isSameKey).toBe(true);
  });
});
