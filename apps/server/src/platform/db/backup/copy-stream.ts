import { once } from "node:events";
import type { Socket } from "node:net";
import type { ClientBase, Connection } from "pg";

/** Methods of the driver that its types do not declare (`pg/lib/connection`). */
interface CopyConnection {
  stream: Socket;
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

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
