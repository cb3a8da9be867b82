import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import pg from "pg";
import { getConstructionPlans, getMigrationPlans } from "pg-boss";
import { serverFolder } from "../../paths.ts";
import { holdLock } from "./advisory-locks.ts";
import { addressOf, checkServerVersion, StartFault } from "./database-fault.ts";
import { checkMoveMark, moveFaultOf, readMoveMark } from "./move-mark.ts";

/** The schema of pg-boss. */
export const jobsSchema = "jobs";

/**
 * Creates or updates the schema of pg-boss, so that the portal's own role needs no rights for it. Its script is a transaction of its own;
 * the caller keeps other starts away. Errors: those of the database.
 */
export async function prepareJobs(client: pg.ClientBase): Promise<void> {
  const { rows: found } = await client.query<{ known: boolean }>(
    "select to_regclass('jobs.version') is not null as known",
  );
  if (!found[0]?.known) {
    await client.query(getConstructionPlans(jobsSchema));
    return;
  }
  const { rows } = await client.query<{ version: number }>("select version from jobs.version");
  const version = rows[0]?.version ?? 0;
  // If pg-boss has no newer version, its plan contains no statement.
  if (!getConstructionPlans(jobsSchema).includes(`version(version) VALUES ('${version}')`))
    await client.query(getMigrationPlans(jobsSchema, version));
}

/**
 * Grants a role access to rows and nothing else: it reads and writes tables and uses sequences and functions, also those that this client's
 * role creates later; it cannot create, alter, truncate or drop any. Errors: `StartFault` if the role does not exist.
 */
async function grantToApp(client: pg.ClientBase, appUrl: string): Promise<void> {
  const { role } = addressOf(appUrl);
  const { rows } = await client.query<{ known: boolean; owner: string; mayCreate: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as known, current_user::text as owner,
       exists (select from pg_roles where rolname = $1 and has_schema_privilege($1, 'public', 'create')) as "mayCreate"`,
    [role],
  );
  const [{ known, owner, mayCreate } = { known: false, owner: "", mayCreate: false }] = rows;
  if (owner === role) return;
  const name = pg.escapeIdentifier(role);
  if (!known)
    throw new StartFault(
      `There is no role "${role}", which DATABASE_URL names. Make it: CREATE ROLE ${name} LOGIN PASSWORD '…';`,
    );
  const schemas = `public, ${jobsSchema}`;
  await client.query(`grant usage on schema ${schemas}, drizzle to ${name};
    grant select, insert, update, delete on all tables in schema ${schemas} to ${name};
    grant usage, select, update on all sequences in schema ${schemas} to ${name};
    grant execute on all routines in schema ${schemas} to ${name};
    grant select on all tables in schema drizzle to ${name};
    grant select on all sequences in schema drizzle to ${name};
    alter default privileges in schema ${schemas} grant select, insert, update, delete on tables to ${name};
    alter default privileges in schema ${schemas} grant usage, select, update on sequences to ${name};
    alter default privileges in schema ${schemas} grant execute on routines to ${name};
    alter default privileges in schema drizzle grant select on tables to ${name}`);
  // In a database created before PostgreSQL 15 every role may create tables.
  if (mayCreate) await client.query(`revoke create on schema public from public, ${name}`);
}

const connectMs = 5_000;

const migrationsFolder = path.join(serverFolder, "src/platform/db/migrations");

/** Lends a new connection, which is closed after the work. A transaction that was not committed is rolled back. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  });
  // A lost connection ends the current statement, not the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The journal's date of the last migration that the database has; 0 if it has none. */
async function readLast(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ known: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as known",
  );
  if (!rows[0]?.known) return 0;
  const { rows: dates } = await client.query<{ last: number }>(
    "select coalesce(max(created_at), 0)::float8 as last from drizzle.__drizzle_migrations",
  );
  return dates[0]?.last ?? 0;
}

/** How many migrations the database has, how many are pending, and how many belong to a newer version. Writes nothing. */
export async function readMigrationState(
  client: pg.ClientBase,
): Promise<{ applied: number; pending: number; unknown: number }> {
  const last = await readLast(client);
  const own = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  const applied = own.filter((date) => date <= last).length;
  return { applied, pending: own.length - applied, unknown: last > Math.max(...own) ? 1 : 0 };
}

/**
 * Runs the pending migrations in the client's transaction and returns how many. They are recorded in the same way as by drizzle-kit's
 * migrator. `until`: the journal's date of the last one to run.
 */
export async function applyMigrations(
  client: pg.ClientBase,
  until = Number.POSITIVE_INFINITY,
): Promise<number> {
  const last = await readLast(client);
  const pending = readMigrationFiles({ migrationsFolder }).filter(
    ({ folderMillis }) => folderMillis > last && folderMillis <= until,
  );
  if (pending.length === 0) return 0;
  // Waits for a running backup, to which a rewritten table would seem empty.
  await holdLock(client, "backup");
  await client.query(`create schema if not exists drizzle; create table if not exists drizzle.__drizzle_migrations
    (id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql, hash, folderMillis } of pending) {
    for (const statement of sql) await client.query(statement);
    await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
      hash,
      folderMillis,
    ]);
  }
  return pending.length;
}

/**
 * Brings the schema up to date, once even if several processes start together: an advisory lock lets one in at a time. The lock belongs to
 * the transaction, because a transaction pooler would leave a session's lock behind. All pending migrations run in that transaction, so a
 * killed start leaves the old schema. `appUrl`: set if the portal works with another role than this one, which owns the schema; that role
 * gets its grants, and the tables of the jobs are created here as well. Errors: `StartFault`.
 */
export async function migrateDatabase(url: string, { appUrl }: { appUrl?: string } = {}): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    checkServerVersion(rows[0]?.version ?? 0);
    await checkMoveMark(client);
    await client.query(
      "begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0",
    );
    await holdLock(client, "migration");
    // A move into this database held the lock until it had filled it.
    const fault = moveFaultOf(await readMoveMark(client));
    if (fault) throw fault;
    await applyMigrations(client);
    if (appUrl !== undefined) {
      await withClient(url, prepareJobs);
      await grantToApp(client, appUrl);
    }
    await client.query("commit");
  });
}

interface Addresses {
  databaseUrl: string;
  databaseDirectUrl: string;
  databaseOwnerUrl: string | null;
}

/** Address with the role that may change the schema. */
export const ownerUrlOf = ({ databaseOwnerUrl, databaseDirectUrl }: Addresses): string =>
  databaseOwnerUrl ?? databaseDirectUrl;

/** Brings the schema up to date with the role that owns it. Errors: those of `migrateDatabase`. */
export function prepareSchema(env: Addresses): Promise<void> {
  return migrateDatabase(ownerUrlOf(env), env.databaseOwnerUrl === null ? {} : { appUrl: env.databaseUrl });
}
