import pg from "pg";
import { getConstructionPlans, getMigrationPlans } from "pg-boss";
import { addressOf, StartFault } from "./start-fault.ts";

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
export async function grantToApp(client: pg.ClientBase, appUrl: string): Promise<void> {
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
