import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { registerReadingPace } from "./limits.ts";

const pollOptions = { timeout: 45_000 };
const piece = Buffer.alloc(64 * 1024, "x");
/** More than the system's buffers on both sides hold, so that a response waits for its reader. */
const pieces = 3_000;
const minute = 60_000;

let app: FastifyInstance;
let check: (now: number) => void;
let port: number;
/** The server's side of the newest connection. */
let newest: Socket | undefined;

beforeAll(async () => {
  app = Fastify();
  check = registerReadingPace(app);
  app.server.on("connection", (socket) => {
    newest = socket;
  });
  app.get("/big", () => Readable.from(Array.from({ length: pieces }, () => piece)));
  app.get("/quiet", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.write("beat");
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Reads only the bytes it is asked for, rounded up to `atOnce`. */
function openReader(path: string, atOnce = 64 * 1024) {
  let wanted = 0;
  let taken = 0;
  let isClosed = false;
  const socket: Socket = connect({
    port,
    host: "127.0.0.1",
    onread: {
      buffer: Buffer.alloc(atOnce),
      callback: (length) => {
        taken += length;
        return taken < wanted;
      },
    },
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: portal\r\n\r\n`);
  return {
    isClosed: () => isClosed,
    read: async (bytes: number) => {
      wanted = taken + bytes;
      socket.resume();
      await expect.poll(() => taken >= wanted || isClosed, pollOptions).toBe(true);
      socket.pause();
    },
    taken: () => taken,
  };
}

/** Waits until the system's buffers are full and the server holds the rest of the newest response. */
async function untilItWaits(): Promise<void> {
  let before = -1;
  const isSame = () => {
    const written = newest?.bytesWritten ?? 0;
    const same = written === before && (newest?.writableLength ?? 0) > 0;
    before = written;
    return same;
  };
  await expect.poll(isSame, { ...pollOptions, interval: 200 }).toBe(true);
}

it("ends a response whose client reads too slowly, not before a minute", async () => {
  const reader = openReader("/big", 4_096);
  await reader.read(1);
  await untilItWaits();
  for (let now = 0; now < minute; now += 5_000) {
    check(now);
    await reader.read(1);
    expect(reader.isClosed()).toBe(false);
  }
  check(minute + 1);
  await expect
    .poll(async () => {
      await reader.read(1_000_000);
      return reader.isClosed();
    }, pollOptions)
    .toBe(true);
  expect(reader.taken()).toBeLessThan(pieces * piece.length);
});

it("does not end a response whose client reads more than 60 kB a minute", async () => {
  const reader = openReader("/big");
  await reader.read(1);
  for (let now = 0; now <= 5 * minute; now += minute / 2) {
    check(now);
    await reader.read(8_000_000);
    expect(reader.isClosed()).toBe(false);
  }
});

it("does not end a response with nothing left to read", async () => {
  const reader = openReader("/quiet");
  await reader.read(10);
  for (let now = 0; now <= 10 * minute; now += 5_000) check(now);
  await reader.read(0);
  expect(reader.isClosed()).toBe(false);
});
