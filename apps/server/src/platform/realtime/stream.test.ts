import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { listenForEvents } from "./listener.ts";
import { publishEvent } from "./publish.ts";

let first: TestApp;
let second: TestApp;
let ana: Client;
beforeAll(async () => {
  first = await buildTestApp({ listen: true });
  second = await buildTestApp({ listen: true, databaseUrl: first.deps.env.databaseUrl });
  ana = await first.signIn();
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const collectGarbage = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
})();

/** Memory of this process after a garbage collection. */
function memoryAtRest(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  return process.memoryUsage().rss;
}

/** Opens a stream; `until` reads until the text contains what is expected, or the stream ends. */
async function openStream(app: TestApp, cookie: string) {
  const answer = await fetch(`${app.url}/api/events`, { headers: { cookie } });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: answer.status,
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return `${text}<end>`;
        text += value;
      }
      return text;
    },
    close: () => reader?.cancel(),
  };
}

describe("GET /api/events", () => {
  it("requires a session", async () => {
    expect((await first.request("GET", "/api/events")).status).toBe(401);
  });

  it("sends topic and id to the users concerned, also from another process, and nothing to others", async () => {
    const luis = await first.signIn();
    const own = await openStream(second, ana.cookie);
    const other = await openStream(second, luis.cookie);
    const publish = (id: number, audience: number[] | "all") =>
      first.deps.database.transaction((tx) => publishEvent(tx, { topic: "lead", id, audience }));
    await publish(41, [ana.user.id]);
    await publish(42, "all");
    expect(await own.until(/"id":42/)).toContain('data: {"topic":"lead","id":41}');
    expect(await other.until(/"id":42/)).not.toContain('"id":41');
    await Promise.all([own.close(), other.close()]);
  });

  it("notifies more users of one change than a single NOTIFY payload can list", async () => {
    const stream = await openStream(first, ana.cookie);
    const others = Array.from({ length: 2_000 }, (_value, index) => 2_000_000_000 + index);
    await publishEvent(first.deps.database.db, {
      topic: "lead",
      id: 61,
      audience: [...others, ana.user.id],
    });
    expect(await stream.until(/"id":61/)).toContain('"id":61');
    await stream.close();
  });

  it("sends nothing for a change that was rolled back", async () => {
    const stream = await openStream(first, ana.cookie);
    const rolledBack = first.deps.database.transaction(async (tx) => {
      await publishEvent(tx, { topic: "lead", id: 51, audience: "all" });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    await first.deps.database.transaction((tx) =>
      publishEvent(tx, { topic: "lead", id: 52, audience: "all" }),
    );
    expect(await stream.until(/"id":52/)).not.toContain('"id":51');
    await stream.close();
  });

  it("sends changes that are already committed, and requests a reload when a process starts", async () => {
    const stream = await openStream(first, ana.cookie);
    second.deps.events.notify({ topic: "lead", id: 71, audience: [ana.user.id] });
    expect(await stream.until(/"id":71/)).toContain('data: {"topic":"lead","id":71}');
    const third = await listenForEvents({
      databaseUrl: first.deps.env.databaseUrl,
      onError: (error) => {
        throw error;
      },
    });
    expect(await stream.until(/refetch/)).toContain("event: refetch");
    await Promise.all([stream.close(), third.close()]);
  });

  it("buffers less than 1 MB for each stalled client", async () => {
    const stalled = 200;
    const many = await buildTestApp({ listen: true, env: { EVENT_STREAMS_PER_USER: String(stalled) } });
    const { cookie } = await many.signIn();
    const { hostname, port } = new URL(many.url);
    const before = memoryAtRest();
    const sockets = await Promise.all(
      Array.from({ length: stalled }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        socket.write(`GET /api/events HTTP/1.1\r\nhost: portal\r\ncookie: ${cookie}\r\n\r\n`);
        const [head] = await once(socket, "data");
        socket.pause();
        expect(String(head)).toContain("HTTP/1.1 200");
        return socket;
      }),
    );
    for (let id = 1; id <= 500; id += 1) {
      many.deps.events.notify({ topic: "lead", id, audience: "all" });
      if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect((memoryAtRest() - before) / stalled).toBeLessThan(1024 * 1024);
    for (const socket of sockets) socket.destroy();
    await many.close();
  });

  it("is rejected above the limit of a user with when to retry, and for all above the limit of the process", async () => {
    const small = await buildTestApp({
      listen: true,
      env: { EVENT_STREAMS_PER_USER: "2", EVENT_STREAMS: "3" },
    });
    const [rep, other] = [await small.signIn(), await small.signIn()];
    const [leave, end] = [new AbortController(), new AbortController()];
    const ask = (cookie: string, { signal } = end) =>
      fetch(`${small.url}/api/events`, { headers: { cookie }, signal });
    const held = [await ask(rep.cookie, leave), await ask(rep.cookie)];
    const third = await ask(rep.cookie);
    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await third.json()).toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("You have 2 pages open"),
    });
    held.push(await ask(other.cookie));
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200]);
    const none = await ask(other.cookie);
    expect(await none.json()).toMatchObject({ message: expect.stringContaining("Too many pages") });
    leave.abort();
    await expect.poll(async () => (await ask(rep.cookie)).status).toBe(200);
    end.abort();
    small.app.server.closeAllConnections();
    await small.close();
  });

  it("ends when the session ends, also in another process", async () => {
    const rep = await first.signIn();
    const stream = await openStream(second, rep.cookie);
    await stream.until(/retry/);
    await rep.get("/api/logout");
    expect(await stream.until(/never/)).toContain("<end>");
    expect((await second.request("GET", "/api/current-user", { cookie: rep.cookie })).status).toBe(401);
  });
});
