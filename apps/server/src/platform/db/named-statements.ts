import { randomUUID } from "node:crypto";
import { type Database, postgresCode } from "./client.ts";

/** invalid_sql_statement_name, duplicate_prepared_statement */
const lost = new Set(["26000", "42P05"]);
// A random name, so that no other process has prepared it on the server connection where this one looks for it.
const ask = { name: `check-${randomUUID()}`, text: "select current_setting('TimeZone') as zone" };

/**
 * Whether a named statement still exists when it is used again, after another connection's transaction may have taken its server
 * connection: a transaction pooler may have switched it (PgBouncer before 1.21).
 */
export async function supportsNamedStatements({ pool }: Pick<Database, "pool">): Promise<boolean> {
  const one = await pool.connect();
  try {
    await one.query(ask);
    const other = await pool.connect();
    try {
      await other.query("begin");
      await one.query(ask);
    } finally {
      await other.query("rollback").finally(() => other.release());
    }
    return true;
  } catch (error) {
    if (lost.has(postgresCode(error) ?? "")) return false;
    throw error;
  } finally {
    one.release();
  }
}
