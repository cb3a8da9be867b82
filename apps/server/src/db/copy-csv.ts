import { to } from "pg-copy-streams";
import type { Tx } from "./client.ts";

/**
 * The rows of a query as PostgreSQL itself writes CSV (RFC 4180, lines end in a line feed), whole in memory. COPY takes no values
 * beside its text: they stand in `sql` as literals (`db/sql/literal`). Errors: those of the database.
 */
export async function copyCsv(tx: Tx, sql: string): Promise<Buffer> {
  // The driver hangs its time limit on a statement's `callback`, which this stream neither has nor calls.
  const stream = Object.assign(to(`copy (${sql}) to stdout with (format csv)`), {
    callback: () => undefined,
  });
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of tx.$client.query(stream)) chunks.push(chunk);
  } finally {
    stream.callback();
  }
  return Buffer.concat(chunks);
}
