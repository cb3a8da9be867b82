import type { SQL } from "drizzle-orm";
import type { Connection } from "pg";
import pg from "pg";
import type { Tx } from "./client.ts";
import { sql, textOf } from "./query.ts";

/** What the driver can do beside what its types declare (`pg/lib/connection`). */
interface CopyConnection {
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Runs a COPY by the driver's own calls, with all that is sent at hand before it begins. It is no stream: one whose statement fails goes on
 * to write, or emits an error, after nobody listens to it any more, which ends the process. Each way in which the statement can end settles
 * the promise, and whatever comes later is nobody's. Errors: those of the database.
 */
function runCopy(
  tx: Tx,
  sql: string,
  { send = [], onSent, onData }: { send?: Buffer[]; onSent?: () => void; onData?: (chunk: Buffer) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.$client.query({
      // The driver puts its time limit around this one.
      callback: (error?: Error | null) => (error ? reject(error) : resolve()),
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(sql),
      handleCopyInResponse(connection: CopyConnection) {
        // What is on its way is not held twice.
        for (let chunk = send.shift(); chunk; chunk = send.shift()) connection.sendCopyFromChunk(chunk);
        connection.endCopyFrom();
        onSent?.();
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onData?.(chunk),
      handleCommandComplete: () => undefined,
      handleReadyForQuery() {
        this.callback();
      },
      handleError(error: Error) {
        this.callback(error);
      },
    });
  });
}

const signs: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function cell(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => signs[sign] ?? sign) : text;
}

/** Lines written at once: texts of that length are gone again with the youngest garbage. */
const linesAtOnce = 100;

/**
 * Copies rows into columns of a table; `values` answers a row's values for them: texts, numbers, null, objects as
 * JSON. `onSent` is called when they are on their way, and the database still writes. Triggers and constraints hold as for an insert.
 * Errors: those of the database and of `values`; no row stays then.
 */
export async function copyRows<Row>(
  tx: Tx,
  { table, columns }: { table: string; columns: readonly string[] },
  {
    rows,
    values,
    onSent,
  }: { rows: Row[]; values: (row: Row, index: number) => unknown[]; onSent?: () => void },
): Promise<void> {
  const send: Buffer[] = [];
  for (let at = 0; at < rows.length; at += linesAtOnce) {
    const lines = rows.slice(at, at + linesAtOnce).map(
      (row, index) =>
        `${values(row, at + index)
          .map(cell)
          .join("\t")}\n`,
    );
    send.push(Buffer.from(lines.join("")));
  }
  const names = columns.map(pg.escapeIdentifier);
  await runCopy(tx, `copy ${pg.escapeIdentifier(table)} (${names.join(", ")}) from stdin`, {
    send,
    ...(onSent && { onSent }),
  });
}

/**
 * The rows of a query as PostgreSQL itself writes CSV (RFC 4180, lines end in a line feed), whole in memory. COPY takes no values
 * beside its text: they stand in it as literals. Errors: those of the database.
 */
export async function copyCsv(tx: Tx, statement: SQL): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The driver reads the next message into the same memory.
  const onData = (chunk: Buffer) => void chunks.push(Buffer.from(chunk));
  await runCopy(tx, `copy (${textOf(statement, literal)}) to stdout with (format csv)`, { onData });
  return Buffer.concat(chunks);
}

function literal(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(", ")}]`;
  throw new Error(`no literal of a ${typeof value}`);
}

/** First characters by which a spreadsheet takes a cell for a formula: tab, return, + - = @ and the wide ones of them. */
const formulaStarts = [9, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20];

/** Values of an export's cells, as COPY writes them. */
export const csvCell = {
  /** Text; before what a spreadsheet would take for a formula stands an apostrophe. */
  text: (value: SQL) =>
    sql`case when ascii(${value}) in (${sql.join(formulaStarts.map(sql.constant), sql`, `)}) then '''' || ${value} else nullif(${value}, '') end`,
  number: (value: SQL) => sql`trim_scale(${value})`,
  /** An instant: ISO 8601 in UTC, to the second (`to_char` would take longer than all other cells together). */
  instant: (value: SQL) =>
    sql`replace(date_trunc('second', ${value} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
};
