import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface Pair {
  near: Socket;
  far: Socket;
  isLost: boolean;
}

/** A proxy that stalls or drops connections without notifying either end, as networks do. */
export interface TcpLine {
  port: number;
  /** Stops all data; new connections are accepted and stall too. */
  stall(): void;
  /** Passes the stalled data on. */
  resume(): void;
  /** Drops open connections: both ends keep theirs and receive nothing more. New ones work. @returns their number */
  forget(): number;
  /** Called with each packet before it passes to the server. */
  onPacket: (packet: Buffer) => void;
  close(): Promise<void>;
}

/** Listens on a loopback port and connects each connection to `open`. */
async function startTcpLine(open: () => Socket): Promise<TcpLine> {
  const pairs = new Set<Pair>();
  let isStalled = false;
  const join = (pair: Pair, from: Socket, to: Socket, see?: (packet: Buffer) => void) => {
    from.on("error", () => undefined);
    from.on("close", () => {
      pairs.delete(pair);
      if (!pair.isLost) to.destroy();
    });
    from.on("data", (packet) => {
      if (pair.isLost) return;
      see?.(packet);
      if (!to.write(packet)) {
        from.pause();
        to.once("drain", () => {
          if (!isStalled) from.resume();
        });
      }
    });
    if (isStalled) from.pause();
  };
  const server = createServer((near) => {
    const pair: Pair = { near, far: open(), isLost: false };
    pairs.add(pair);
    join(pair, near, pair.far, (packet) => line.onPacket(packet));
    join(pair, pair.far, near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const setStalled = (stalled: boolean) => {
    isStalled = stalled;
    for (const { near, far } of pairs)
      for (const socket of [near, far]) socket[stalled ? "pause" : "resume"]();
  };
  const line: TcpLine = {
    port: typeof address === "object" && address ? address.port : 0,
    stall: () => setStalled(true),
    resume: () => setStalled(false),
    forget() {
      for (const pair of pairs) pair.isLost = true;
      return pairs.size;
    },
    onPacket: () => undefined,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      await closed;
    },
  };
  return line;
}

/** A line to PostgreSQL, with the address of the database through it. */
export async function startDatabaseLine(databaseUrl: string): Promise<TcpLine & { url: string }> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  const { hostname, port } = url;
  const target = Number(port || 5432);
  const line = await startTcpLine(() =>
    folder ? connect(`${folder}/.s.PGSQL.${target}`) : connect(target, hostname),
  );
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(line.port);
  return Object.assign(line, { url: url.toString() });
}
