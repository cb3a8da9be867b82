import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";

/** So many statements are prepared on each connection; further ones are planned anew each time. */
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

/**
 * A statement that is asked again and again, planned once a connection: planning often costs more than running. For texts of few shapes
 * only, with all that varies in `values`.
 */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  const name = nameOf(text);
  return { ...(name && { name }), text, values };
}

/**
 * A table's columns under the names that its rows have in the code, for statements that are written by hand because they run for
 * every event: building them anew each time costs more than running them.
 */
export function columnsOf(table: PgTable): { names: Record<string, string>; list: string } {
  const columns = Object.entries(getTableColumns(table));
  return {
    names: Object.fromEntries(columns.map(([key, column]) => [key, `"${column.name}"`])),
    list: columns.map(([key, column]) => `"${column.name}" as "${key}"`).join(", "),
  };
}
