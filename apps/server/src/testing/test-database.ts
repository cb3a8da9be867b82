import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { advisoryLocks } from "../platform/db/advisory-locks.ts";
import { type Database, openDatabase } from "../platform/db/client.ts";
import { migrateDatabase } from "../platform/db/migrate.ts";
import { createJobs } from "../platform/jobs/jobs.ts";
import { patientSettings } from "./server-process.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.toString();
}

/** Named by the migrations' content, so that a template of an older schema is never used. */
function templateName(): string {
  const folder = path.join(import.meta.dirname, "../platform/db/migrations");
  const hash = createHash("sha256");
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    hash.update(readFileSync(path.join(folder, file)));
  }
  return `template_${hash.digest("hex").slice(0, 12)}`;
}

async function ensureTemplate(admin: pg.Client, url: string, name: string): Promise<void> {
  const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount) return;
  const draft = `${name}_draft`;
  await admin.query(`drop database if exists ${draft} with (force)`);
  await admin.query(`create database ${draft}`);
  const draftUrl = withDatabase(url, draft);
  await migrateDatabase(draftUrl);
  const jobs = createJobs({ databaseUrl: draftUrl, onError: () => undefined });
  await jobs.start([]);
  await jobs.stop();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [draft],
  );
  await admin.query(`alter database ${draft} rename to ${name}`);
}

/** A database of its own in which there is nothing yet. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase((admin, name) => admin.query(`create database ${name}`));
}

/** A database of its own from a migrated template (about 40 ms); TEST_DATABASE_URL names the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(async (admin, name, url) => {
    await admin.query("select pg_advisory_lock($1)", [advisoryLocks.testTemplate]);
    await ensureTemplate(admin, url, templateName());
    // Copied as files: through the log, which is the default, it costs a quarter more.
    await admin.query(`create database ${name} template ${templateName()} strategy file_copy`);
  });
}

/** Opens such a database, and waits for a connection however busy the machine is. */
export const openTestDatabase = (
  { url }: TestDatabase,
  options: Pick<Parameters<typeof openDatabase>[0], "poolSize" | "answerMs"> = {},
): Database =>
  openDatabase({
    url,
    waitMs: Number(patientSettings.DATABASE_WAIT_MS),
    onError: () => undefined,
    ...options,
  });

async function createDatabase(
  create: (admin: pg.Client, name: string, url: string) => Promise<unknown>,
): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_DATABASE_URL is not set: run the tests with npm test or npx vitest");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await create(admin, name, url);
  } finally {
    await admin.end();
  }
  return {
    url: withDatabase(url, name),
    async drop() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`drop database if exists ${name} with (force)`);
      await client.end();
    },
  };
}
