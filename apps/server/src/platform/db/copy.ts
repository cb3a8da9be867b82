import type { Connection } from "pg";
import pg from "pg";
import type { Tx } from "./client.ts";

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
 * Copies rows into a table: `into` names it and its columns, `values` answers a row's values for them: texts, numbers, null, objects as
 * JSON. `onSent` is called when they are on their way, and the database still writes. Triggers and constraints hold as for an insert.
 * Errors: those of the database and of `values`; no row stays then.
 */
export async function copyRows<Row>(
  tx: Tx,
  into: string,
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
  await runCopy(tx, `copy ${into} from stdin`, { send, ...(onSent && { onSent }) });
}

/**
 * The rows of a query as PostgreSQL itself writes CSV (RFC 4180, lines end in a line feed), whole in memory. COPY takes no values
 * beside its text: they stand in `sql` as literals (`literal` below). Errors: those of the database.
 */
export async function copyCsv(tx: Tx, sql: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The driver reads the next message into the same memory.
  const onData = (chunk: Buffer) => void chunks.push(Buffer.from(chunk));
  await runCopy(tx, `copy (${sql}) to stdout with (format csv)`, { onData });
  return Buffer.concat(chunks);
}

/** A value as a part of SQL text, for the few statements that take no values beside it. */
export function literal(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(", ")}]`;
  throw new Error(`no literal of a ${typeof value}`);
}

/** First characters by which a spreadsheet takes a cell for a formula: tab, return, + - = @ and the wide ones of them. */
const formulaStarts = [9, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20].join(",");

/** Values of an export's cells, as COPY writes them. */
export const csvCell = {
  /** Text; before what a spreadsheet would take for a formula stands an apostrophe. */
  text: (sql: string) =>
    `case when ascii(${sql}) in (${formulaStarts}) then '''' || ${sql} else nullif(${sql}, '') end`,
  number: (sql: string) => `trim_scale(${sql})`,
  /** An instant: ISO 8601 in UTC, to the second (`to_char` would take longer than all other cells together). */
  instant: (sql: string) => `replace(date_trunc('second', ${sql} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
};
