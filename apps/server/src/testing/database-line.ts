import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to the database that can be cut, as by a network that is away, and put together again. */
export async function startDatabaseLine(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  const target = Number(url.port || 5432);
  const open = () => (folder ? connect(`${folder}/.s.PGSQL.${target}`) : connect(target, url.hostname));
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  async function listen(port: number): Promise<number> {
    server = createServer((client) => {
      const upstream = open();
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket
          .on("error", () => undefined)
          .on("close", () => {
            sockets.delete(socket);
            other.destroy();
          });
        socket.pipe(other);
      }
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  async function cut(): Promise<void> {
    const closed = server && once(server, "close");
    server?.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const port = await listen(0);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return { url: url.toString(), cut, restore: () => listen(port), close: cut };
}
