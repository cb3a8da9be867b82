import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

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
