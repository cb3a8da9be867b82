import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { driverFault } from "./database-fault.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error("it went well")),
    (error: unknown) => driverFault(error),
  );

/** A server that sends one answer to each packet of a connection, and nothing once the answers are used up. */
async function answering(...answers: Buffer[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    let packet = 0;
    socket.on("data", () => {
      const answer = answers[packet];
      packet += 1;
      if (answer) socket.write(answer);
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `postgresql://portal@127.0.0.1:${(server.address() as { port: number }).port}/portal`;
}

async function connected(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, ...config });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

it("detects a statement without an answer, and a connection lost during it", async () => {
  const slow = await connected({ query_timeout: 20 });
  expect(await failure(slow.query("select pg_sleep(0.5)"))).toBe("no-answer");
  const client = await connected();
  const own = await client.query("select pg_backend_pid() as pid");
  // Not by `once` of node:events, which would handle the error itself.
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  const admin = await connected();
  await admin.query("select pg_terminate_backend($1)", [own.rows[0].pid]);
  await ended;
  expect(await failure(client.query("select 1"))).toBe("lost");
  await Promise.all([slow.end(), admin.end()]);
});

it("detects a server that accepts a connection silently, and a socket that closes without an error", async () => {
  const silent = new pg.Client({ connectionString: await answering(), connectionTimeoutMillis: 20 });
  expect(await failure(silent.connect())).toBe("no-connection");
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const dropped = new pg.Client({ connectionString: `postgresql://portal@127.0.0.1:${port}/portal` });
  dropped.on("error", () => undefined);
  // Some systems report it as a reset connection, which has a code.
  expect(["lost", null]).toContain(await failure(dropped.connect()));
});

it("detects an exhausted pool, and a closed one", async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const lent = await pool.connect();
  pool.options.connectionTimeoutMillis = 20;
  expect(await failure(pool.query("select 1"))).toBe("no-connection");
  lent.release();
  await pool.end();
  expect(await failure(pool.query("select 1"))).toBe("closed");
});

it("detects a server without TLS, and one that requires a missing password", async () => {
  const plain = new pg.Client({ connectionString: await answering(Buffer.from("N")), ssl: true });
  expect(await failure(plain.connect())).toBe("no-tls");
  // AuthenticationSASL with SCRAM-SHA-256, then AuthenticationSASLContinue.
  const message = (kind: number, body: string) => {
    const text = Buffer.from(body);
    const head = Buffer.from("R\0\0\0\0\0\0\0\0");
    head.writeInt32BE(text.length + 8, 1);
    head.writeInt32BE(kind, 5);
    return Buffer.concat([head, text]);
  };
  const nonce = randomBytes(12).toString("base64");
  const asking = await answering(
    message(10, "SCRAM-SHA-256\0\0"),
    message(11, `r=${nonce},s=c2FsdA==,i=4096`),
  );
  const nameless = new pg.Client({ connectionString: asking });
  expect(await failure(nameless.connect())).toBe("no-password");
});

it("reports no driver fault for errors of PostgreSQL, and finds one inside an error of the query layer", async () => {
  const client = await connected();
  expect(await failure(client.query("select 1/0"))).toBeNull();
  await client.end();
  expect(driverFault(new Error("Failed query", { cause: new Error("Query read timeout") }))).toBe(
    "no-answer",
  );
  expect(driverFault("Query read timeout")).toBeNull();
});
