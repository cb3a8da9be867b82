import pg, { type ClientBase } from "pg";

export interface Table {
  schema: string;
  name: string;
  /** In the order of the table. */
  columns: string[];
}

export interface Sequence {
  schema: string;
  name: string;
  /** A text, because it may exceed JavaScript's safe integers. */
  value: string;
  isCalled: boolean;
}

/** Content of a table: its number of rows, and a sum over their hashes that does not depend on the order. */
export interface Content {
  rows: number;
  digest: string;
}

/** The tables of pg-boss that hold work; its other tables hold its own statistics. */
const jobTables = ["queue", "schedule", "subscription", "job_common", "job_dependency"];

export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

export const columnsOf = ({ columns }: Table): string => columns.map(pg.escapeIdentifier).join(", ");

/** Settings for writing values as text, so that two servers write the same; tables are read from their beginning. */
export const plainSettings = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set synchronize_seqscans = off; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set jit = off; set client_min_messages = error`;

/** All tables that a backup contains, in a fixed order. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
     ) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname in ('public', 'drizzle') or (n.nspname = 'jobs' and c.relname = any($1)))
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1, 2`,
    [jobTables],
  );
  return rows;
}

export async function listSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows: names } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname in ('public', 'drizzle') order by 1, 2`,
  );
  const sequences: Sequence[] = [];
  for (const name of names) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${nameOf(name)}`,
    );
    for (const row of rows) sequences.push({ ...name, ...row });
  }
  return sequences;
}

export async function setSequences(client: ClientBase, sequences: Sequence[]): Promise<void> {
  for (const sequence of sequences)
    await client.query("select setval($1::regclass, $2, $3)", [
      nameOf(sequence),
      sequence.value,
      sequence.isCalled,
    ]);
}

/**
 * Counts and sums up a table, or those rows `t` of it that satisfy a condition. SHA-256 is PostgreSQL's own, so it exists in every version
 * and also where only approved methods are allowed (FIPS).
 */
export async function readContent(client: ClientBase, table: Table, condition = "true"): Promise<Content> {
  const hash = "('x' || left(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint";
  const { rows } = await client.query<{ rows: number; digest: string }>(
    `select count(*)::float8 as rows, coalesce(sum(${hash}), 0)::text as digest
     from (select ${columnsOf(table)} from ${nameOf(table)} t where ${condition}) t`,
  );
  return rows[0] ?? { rows: 0, digest: "0" };
}

/** Indexes, foreign keys and triggers by table: without them rows are inserted faster, and in any order. */
export interface Dependents {
  indexes: string[];
  foreignKeys: { table: string; name: string; definition: string }[];
  triggers: { table: string; name: string }[];
}

const inOurs = "n.nspname in ('public', 'drizzle', 'jobs')";

/** Drops indexes, foreign keys and triggers, and returns how to create them again. */
export async function dropDependents(client: ClientBase): Promise<Dependents> {
  const foreignKeys = await client.query<Dependents["foreignKeys"][number]>(
    `select format('%I.%I', n.nspname, c.relname) as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and ${inOurs} order by 1, 2`,
  );
  const triggers = await client.query<Dependents["triggers"][number]>(
    `select format('%I.%I', n.nspname, c.relname) as table, t.tgname as name
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where not t.tgisinternal and t.tgenabled = 'O' and ${inOurs} order by 1, 2`,
  );
  const indexes = await client.query<{ name: string; definition: string }>(
    `select format('%I.%I', n.nspname, i.relname) as name, pg_get_indexdef(i.oid) as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
       join pg_namespace n on n.oid = i.relnamespace
     where i.relkind = 'i' and c.relkind = 'r' and not c.relispartition and n.nspname = 'public'
       and not exists (select 1 from pg_constraint k where k.conindid = i.oid) order by 1`,
  );
  for (const { table, name } of foreignKeys.rows)
    await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`);
  for (const { table, name } of triggers.rows)
    await client.query(`alter table ${table} disable trigger ${pg.escapeIdentifier(name)}`);
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  return {
    indexes: indexes.rows.map(({ definition }) => definition),
    foreignKeys: foreignKeys.rows,
    triggers: triggers.rows,
  };
}

export async function restoreIndexes(client: ClientBase, { indexes }: Dependents): Promise<void> {
  for (const definition of indexes) await client.query(definition);
}

/**
 * Creates triggers and foreign keys again. Foreign keys check every row now, unless that is left to `checkForeignKeys`. Errors: those of
 * the database for rows that violate one.
 */
export async function restoreForeignKeys(
  client: ClientBase,
  dependents: Dependents,
  { isCheckedLater = false } = {},
): Promise<void> {
  const later = isCheckedLater ? "not valid" : "";
  for (const { table, name, definition } of dependents.foreignKeys)
    await client.query(
      `alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition} ${later}`,
    );
  for (const { table, name } of dependents.triggers)
    await client.query(`alter table ${table} enable trigger ${pg.escapeIdentifier(name)}`);
}

/** Checks every existing row; the portal may run meanwhile. */
export async function checkForeignKeys(client: ClientBase, { foreignKeys }: Dependents): Promise<void> {
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} validate constraint ${pg.escapeIdentifier(name)}`);
}
