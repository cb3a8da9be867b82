import { connect } from "node:net";
import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../../testing/test-app.ts";
import { csvOf, csvOfLines, itemsOf, type Keyset, listStream } from "./list.ts";

/** Rows of about a kilobyte, and a count of how many were read. */
function manyRows() {
  const asked = { rows: 0 };
  const source = {
    async fetch(after: Keyset | null, limit: number) {
      asked.rows += limit;
      return Array.from({ length: limit }, (_, n) => ({
        id: (after?.id ?? 0) + n + 1,
        text: "x".repeat(1_000),
      }));
    },
    keysetOf: ({ id }: { id: number }) => ({ at: "", id }),
    present: (row: { id: number; text: string }) => row,
  };
  return { asked, source };
}

async function* manyLines(asked: { rows: number }) {
  for (;;) {
    asked.rows += 250;
    yield Buffer.from(`${"x".repeat(999)}\n`.repeat(250));
  }
}

describe("a client that stops reading", () => {
  it.each([
    ["a list", (asked: { rows: number }) => listOf(asked)],
    ["an export", (asked: { rows: number }) => exportOf(asked)],
    ["an export of lines", (asked: { rows: number }) => csvOfLines(["Name"], manyLines(asked))],
  ])("buffers no more than a page of %s", async (_what, open) => {
    const asked = { rows: 0 };
    const stream = open(asked);
    let taken = 0;
    stream.pipe(
      new Writable({
        write(chunk: Buffer) {
          // Never asks for more data.
          taken += chunk.length;
        },
      }),
    );
    for (let turns = 0; turns < 500; turns += 1) await turn();
    expect(taken).toBeGreaterThan(0);
    expect(asked.rows).toBeLessThanOrEqual(500);
    expect(stream.readableLength).toBeLessThan(200_000);
    stream.destroy();
  });
});

function listOf(asked: { rows: number }) {
  const many = manyRows();
  Object.defineProperty(asked, "rows", { get: () => many.asked.rows });
  return listStream(many.source);
}

function exportOf(asked: { rows: number }) {
  const many = manyRows();
  Object.defineProperty(asked, "rows", { get: () => many.asked.rows });
  return csvOf([{ header: "Text", of: ({ text }: { text: string }) => text }], itemsOf(many.source));
}

describe("streamed responses", () => {
  let portal: TestApp;
  beforeAll(async () => {
    portal = await buildTestApp({ listen: true, env: { DOWNLOADS_PER_USER: "2" } });
    // More rows than the sockets' buffers hold.
    await portal.deps.database.pool.query(
      `insert into leads (name, notes) select 'Lead ' || n, repeat('x', 9000) from generate_series(1, 3000) n`,
    );
  });
  afterAll(() => portal.close());

  /** Requests all leads and reads nothing after the first bytes. */
  async function holdDownload(cookie: string) {
    const socket = connect(Number(new URL(portal.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET /api/leads/all HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`);
    const head = await new Promise<string>((resolve) =>
      socket.once("data", (bytes: Buffer) => {
        socket.pause();
        resolve(bytes.toString("latin1").split("\r\n", 1)[0] ?? "");
      }),
    );
    return { socket, head };
  }

  it("are limited by user, and the limit is released when they end", async () => {
    const [rep, other] = [await portal.signIn(), await portal.signIn()];
    const held = [await holdDownload(rep.cookie), await holdDownload(rep.cookie)];
    expect(held.map(({ head }) => head)).toEqual(Array(2).fill("HTTP/1.1 200 OK"));
    const refused = await rep.get("/api/leads/all");
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers["retry-after"]).toBe("10");
    const file = await rep.get("/api/leads/export?format=csv");
    expect(file.status).toBe(429);
    expect(file.headers["content-disposition"]).toBeUndefined();
    expect((await rep.get("/api/leads/all?limit=5")).status).toBe(200);
    expect((await other.get("/api/leads/all")).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    await expect.poll(async () => (await rep.get("/api/leads/all")).status).toBe(200);
  });

  it("end when the client reads nothing until the server's timeout", async () => {
    expect(portal.app.server.timeout).toBe(90_000);
    portal.app.server.setTimeout(500);
    const rep = await portal.signIn();
    const { socket } = await holdDownload(rep.cookie);
    const connections = promisify(portal.app.server.getConnections.bind(portal.app.server));
    await expect.poll(() => connections()).toBe(0);
    socket.destroy();
  });
});
