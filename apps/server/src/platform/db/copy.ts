import { once } from "node:events";
import type { Socket } from "node:net";
import type { SQL } from "drizzle-orm";
import pg, { type ClientBase, type Connection } from "pg";
import type { Tx } from "./client.ts";
import { sql, textOf } from "./query.ts";

/** Methods of the driver that its types do not declare (`pg/lib/connection`). */
interface CopyConnection {
  stream: Socket;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

/**
 * Runs a COPY with the driver's own methods, with all data ready before it starts. It is not a stream: after its statement fails, a stream
 * goes on writing or emits an error when nobody listens any more, which ends the process. Each way in which the statement can end settles
 * the promise, and later events are ignored. Errors: those of the database.
 */
function runCopy(
  tx: Tx,
  sql: string,
  { send = [], onSent, onData }: { send?: Buffer[]; onSent?: () => void; onData?: (chunk: Buffer) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.$client.query({
      // The driver wraps this callback in its time limit.
      callback: (error?: Error | null) => (error ? reject(error) : resolve()),
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(sql),
      handleCopyInResponse(connection: CopyConnection) {
        // Removed from the list, so that what is being sent is not held twice.
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

/** Lines sent in one chunk: texts of that length are freed by the young generation's garbage collection. */
const linesAtOnce = 100;

/**
 * Copies rows into columns of a table; `values` returns a row's values for them: texts, numbers, null, or objects as JSON. `onSent` is
 * called when everything was sent and the database still writes. Triggers and constraints apply as for an insert. Errors: those of the
 * database and of `values`; no row is stored then.
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
 * The rows of a query as CSV written by PostgreSQL (RFC 4180, lines end with a line feed), held in memory as a whole. COPY has no
 * parameters, so values are literals in its text. Errors: those of the database.
 */
export async function copyCsv(tx: Tx, statement: SQL): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Copied, because the driver reads the next message into the same buffer.
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

/** First characters that make a spreadsheet treat a cell as a formula: tab, return, + - = @ and their full-width forms. */
const formulaStarts = [9, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20];

/** SQL for the cells of an export. */
export const csvCell = {
  /** Text; an apostrophe precedes what a spreadsheet would treat as a formula. */
  text: (value: SQL) =>
    sql`case when ascii(${value}) in (${sql.join(formulaStarts.map(sql.constant), sql`, `)}) then '''' || ${value} else nullif(${value}, '') end`,
  number: (value: SQL) => sql`trim_scale(${value})`,
  /** An instant: ISO 8601 in UTC, to the second (`to_char` would take longer than all other cells together). */
  instant: (value: SQL) =>
    sql`replace(date_trunc('second', ${value} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
};

/** Bytes buffered at most that the database has sent and nobody has read yet. */
const mostHeld = 1 << 20;

const connectionOf = (client: ClientBase) => (client as unknown as { connection: CopyConnection }).connection;

/**
 * Streams the output of COPY … TO STDOUT; the database waits while nobody reads. A reader that stops early closes the connection. Errors:
 * those of the database.
 */
export async function* copyOut(client: ClientBase, statement: string): AsyncGenerator<Buffer> {
  const { stream } = connectionOf(client);
  let held: Buffer[] = [];
  let size = 0;
  let isOver = false;
  let wake = (): void => undefined;
  const over = new Promise<void>((resolve, reject) => {
    client.query({
      callback: (error?: Error | null) => (error ? reject(error) : resolve()),
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(statement),
      handleCopyData({ chunk }: { chunk: Buffer }) {
        // Copied, because the driver reads the next message into the same buffer.
        held.push(Buffer.from(chunk));
        size += chunk.length;
        if (size > mostHeld) stream.pause();
        wake();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery() {
        this.callback();
      },
      handleError(error: Error) {
        this.callback(error);
      },
    });
  });
  const end = () => {
    isOver = true;
    wake();
  };
  over.then(end, end);
  while (!isOver || size > 0) {
    if (size > 0) {
      const ready = Buffer.concat(held);
      held = [];
      size = 0;
      stream.resume();
      yield ready;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await over;
}

/** Sends chunks to COPY … FROM STDIN, no faster than the database reads. Errors: those of the database, and of the source of the chunks. */
export function copyIn(client: ClientBase, statement: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let fault: unknown;
    let isRefused = false;
    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of chunks) {
          if (isRefused) return;
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
        }
        if (!isRefused) connection.endCopyFrom();
      } catch (error) {
        fault = error;
        if (!isRefused) connection.sendCopyFail("the source ended");
      }
    };
    client.query({
      callback: (error?: Error | null) => (error ? reject(fault ?? error) : resolve()),
      submit: (connection: Connection) => (connection as unknown as CopyConnection).query(statement),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleCommandComplete: () => undefined,
      handleReadyForQuery() {
        this.callback();
      },
      handleError(error: Error) {
        isRefused = true;
        this.callback(error);
      },
    });
  });
}
