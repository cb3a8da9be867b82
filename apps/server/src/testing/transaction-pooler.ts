import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

const query = (text: string): Buffer => {
  const head = Buffer.from("Q\0\0\0\0");
  head.writeInt32BE(text.length + 5, 1);
  return Buffer.concat([head, Buffer.from(`${text}\0`)]);
};

/** The whole messages at the beginning of `bytes`, each with its type, and what is left. PostgreSQL's protocol: type, length, content. */
function messagesOf(bytes: Buffer): { whole: { type: string; bytes: Buffer }[]; rest: Buffer } {
  const whole = [];
  let at = 0;
  while (bytes.length - at >= 5 && bytes.length - at > bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    whole.push({ type: String.fromCharCode(bytes[at] ?? 0), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return { whole, rest: bytes.subarray(at) };
}

/**
 * Stands for a pooler that lends connections by the transaction: after each one `reset` (SQL) makes the session forget what another
 * server's would not know.
 */
export async function startTransactionPooler(databaseUrl: string, reset: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  const port = Number(url.port || 5432);
  const open = () => (folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname));
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = open();
    let fromServer: Buffer = Buffer.alloc(0);
    let held: Buffer[] = [];
    let isUp = false;
    let isResetting = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => other.destroy());
    }
    client.on("data", (bytes) => {
      if (isResetting) held.push(bytes);
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      const { whole, rest } = messagesOf(Buffer.concat([fromServer, bytes]));
      fromServer = rest;
      for (const message of whole) {
        const isReady = message.type === "Z";
        if (!isResetting) client.write(message.bytes);
        else if (isReady) {
          isResetting = false;
          for (const waiting of held) upstream.write(waiting);
          held = [];
          continue;
        }
        // The first one ends the sign-in; "I" is outside of a transaction.
        if (isReady && isUp && message.bytes.at(-1) === 73) {
          isResetting = true;
          upstream.write(query(reset));
        }
        if (isReady) isUp = true;
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" && address ? address.port : 0);
  return {
    url: url.toString(),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
