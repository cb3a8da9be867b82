import { sql as drizzleSql, getTableColumns, SQL, type SQLWrapper } from "drizzle-orm";
import { type PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import { namesStatements } from "./client.ts";

/** Statements prepared on each connection at most; further ones are planned each time. */
const most = 300;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (!name && names.size < most) {
    name = `statement-${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/** A part of a statement: a value, which becomes a parameter, or an object with its own SQL. */
type Part = SQLWrapper | string | number | boolean | Date | Buffer | null;

interface Sql extends Pick<typeof drizzleSql, "empty" | "identifier" | "join" | "param"> {
  <T = unknown>(strings: TemplateStringsArray, ...parts: Part[]): SQL<T>;
  /** A number written into the text, so that the planner knows it when it plans once for all values. */
  constant(value: number): SQL;
}

/**
 * The tag of every statement and fragment. It is drizzle's, so no text can become a part of the SQL. A fragment that may be left out is
 * `sql.empty()`; an array or object that is one value needs `sql.param`.
 */
export const sql: Sql = Object.assign(
  <T>(strings: TemplateStringsArray, ...parts: Part[]) => drizzleSql<T>(strings, ...parts),
  {
    empty: drizzleSql.empty,
    identifier: drizzleSql.identifier,
    join: drizzleSql.join,
    param: drizzleSql.param,
    constant: (value: number) => drizzleSql.raw(String(Number(value))),
  },
);

/** All of these conditions; true if there are none. */
export function allOf(...conditions: (SQL | false | null | undefined | "")[]): SQL {
  const kept = conditions.filter((condition) => condition instanceof SQL);
  return kept.length > 0 ? sql.join(kept, sql` and `) : sql`true`;
}

const dialect = new PgDialect();

/** A statement's text with each value written by `valueText`, for commands that accept no parameters. */
export function textOf(statement: SQL, valueText: (value: unknown) => string): string {
  const inText = new PgDialect();
  inText.escapeParam = (_index: number, value?: unknown) => valueText(value);
  return inText.sqlToQuery(statement).sql;
}

/** A pool, or the connection of a transaction. */
interface Connection {
  $client: pg.Pool | pg.ClientBase;
}

interface Options {
  /**
   * Planned once for each connection, because planning often costs more than running. Only for statements with few different texts, whose
   * varying parts are all parameters.
   */
  prepared?: boolean;
  /** How long the driver waits, in ms, if longer than usual. */
  timeoutMs?: number;
}

function run<Row>({ $client }: Connection, statement: SQL, { prepared, timeoutMs }: Options) {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const name = prepared && namesStatements($client) && nameOf(text);
  const config = {
    ...(name && { name }),
    ...(timeoutMs && { query_timeout: timeoutMs }),
    text,
    values: params,
  };
  return $client.query<Row & pg.QueryResultRow>(config);
}

/**
 * Rows of a statement as the driver reads them: instants are `Date`s, while drizzle's own `execute` leaves them as texts. Errors: those of
 * the database.
 */
export async function query<Row>(db: Connection, statement: SQL, options: Options = {}): Promise<Row[]> {
  return (await run<Row>(db, statement, options)).rows;
}

/** The first row, or undefined. */
export async function queryFirst<Row>(
  db: Connection,
  statement: SQL,
  options: Options = {},
): Promise<Row | undefined> {
  return (await run<Row>(db, statement, options)).rows[0];
}

/** The row of a statement that always returns one, such as an aggregate. */
export async function queryOnly<Row>(db: Connection, statement: SQL, options: Options = {}): Promise<Row> {
  const row = await queryFirst<Row>(db, statement, options);
  if (!row) throw new Error("a statement without its row");
  return row;
}

/** Number of rows that a statement wrote or found. */
export async function execute(db: Connection, statement: SQL, options: Options = {}): Promise<number> {
  return (await run(db, statement, options)).rowCount ?? 0;
}

/**
 * Columns of a table, all or only `fields`, named as in the code: for statements that are written by hand because they run for every event.
 * Money is cast, because the driver returns it as text.
 */
export function columnsOf(table: PgTable, fields?: readonly string[]): SQL {
  const all = getTableColumns(table);
  const columns = (fields ?? Object.keys(all)).map((field) => {
    const column = all[field] as PgColumn;
    const cast = column.getSQLType().startsWith("numeric") ? sql`::float8` : sql.empty();
    return sql`${column}${cast} as ${sql.identifier(field)}`;
  });
  // Rendered once, because assembling many parts for every statement would be slow.
  return drizzleSql.raw(dialect.sqlToQuery(sql.join(columns, sql`, `)).sql);
}
