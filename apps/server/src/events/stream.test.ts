import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildTestApp, type Client, type TestApp } from "../testing/test-app.ts";
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

/** Opens a stream; `until` reads on until the text holds what is looked for, or the stream ends. */
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
  it("asks for a session", async () => {
    expect((await first.request("GET", "/api/events")).status).toBe(401);
  });

  it("tells topic and id to those concerned, from another process too, and nothing to others", async () => {
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

  it("tells more people of one change than a single notice can name", async () => {
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

  it("tells nothing of a change that was rolled back", async () => {
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

  it("tells of what is committed already, and to fetch again when a process starts", async () => {
    const stream = await openStream(first, ana.cookie);
    second.deps.events.tell({ topic: "lead", id: 71, audience: [ana.user.id] });
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

  it("ends when the session ends, in the other process too", async () => {
    const rep = await first.signIn();
    const stream = await openStream(second, rep.cookie);
    await stream.until(/retry/);
    await rep.get("/api/logout");
    expect(await stream.until(/never/)).toContain("<end>");
    expect((await second.request("GET", "/api/current-user", { cookie: rep.cookie })).status).toBe(401);
  });
});
