import { Socket } from "node:net";
import pg from "pg";

/** A statement that only reads, by a key, and is quick: others wait behind it. */
export type LookUp = <Row extends pg.QueryResultRow>(statement: pg.QueryConfig) => Promise<Row[]>;

/** PostgreSQL's codes where it ends the connection itself. */
const endings = /^57P/;
/** After a longer wait there is no time to ask another connection. */
const againMs = 1_000;

interface Shared {
  client: pg.Client;
  socket: Socket;
  isHeld: boolean;
}

/**
 * One connection for the quick reads of all requests at once. Each is sent without waiting for the answers to those before it
 * (PostgreSQL's pipeline mode), and those that were asked in one turn of the event loop travel together: fewer wake-ups of either
 * side, which cost more than such a read itself. While there is no such connection, and where it is lost, the pool is asked instead.
 */
export function shareConnection(
  pool: pg.Pool,
  config: pg.ClientConfig,
  { onError, onLoss }: { onError: (error: Error) => void; onLoss: () => void },
): { lookUp: LookUp; close: () => Promise<void> } {
  let shared: Shared | undefined;
  let connecting: Promise<unknown> | undefined;
  let closed = false;

  function connect(): void {
    const socket = new Socket();
    const client = new pg.Client({ ...config, pipeline: true, stream: () => socket });
    const drop = () => {
      onLoss();
      if (shared?.client === client) shared = undefined;
    };
    client.on("error", (error) => {
      drop();
      onError(error);
    });
    client.on("end", drop);
    connecting = client
      .connect()
      .then(async () => {
        if (closed) await client.end();
        else shared = { client, socket, isHeld: false };
      })
      .catch(onError)
      .finally(() => {
        connecting = undefined;
      });
  }

  /** Lets what is asked until the end of this turn leave together. */
  function hold(of: Shared): void {
    if (of.isHeld) return;
    of.isHeld = true;
    of.socket.cork();
    setImmediate(() => {
      of.isHeld = false;
      of.socket.uncork();
    });
  }

  return {
    async lookUp<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
      const of = shared;
      if (!of) {
        if (!connecting && !closed) connect();
        return (await pool.query<Row>(statement)).rows;
      }
      hold(of);
      const askedAt = performance.now();
      try {
        return (await of.client.query<Row>(statement)).rows;
      } catch (error) {
        // What PostgreSQL refuses it would refuse again; where the connection is gone, another may answer while there is time.
        const isLost = error instanceof pg.DatabaseError ? endings.test(error.code ?? "") : shared !== of;
        if (!isLost || performance.now() - askedAt > againMs) throw error;
        return (await pool.query<Row>(statement)).rows;
      }
    },
    async close() {
      closed = true;
      await connecting;
      await shared?.client.end();
    },
  };
}
