import Fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { registerErrorHandler } from "./error-handler.ts";
import { answerList, csvOf, csvOfLines } from "./list.ts";

const app = Fastify({ forceCloseConnections: true });
let url = "";
/** Makes the source of pages fail after this many, like a database that shuts down. */
let failAfter = 0;
let isClosed = Promise.withResolvers<void>();

async function* pages<Page>(page: Page): AsyncGenerator<Page> {
  try {
    for (let n = 0; n < failAfter; n += 1) yield page;
    throw new Error("Connection terminated unexpectedly");
  } finally {
    isClosed.resolve();
  }
}

const page = Array.from({ length: 5_000 }, (_, n) => ({ id: n, text: "x".repeat(200) }));

beforeAll(async () => {
  registerErrorHandler(app);
  app.get("/lines", (_request, reply) =>
    reply.send(csvOfLines(["Lead ID"], pages(Buffer.from("line\n".repeat(200_000))))),
  );
  app.get("/items", (_request, reply) =>
    reply.send(csvOf([{ header: "Text", of: ({ text }) => text }], pages(page))),
  );
  app.get("/json", (_request, reply) => {
    const source = pages(page);
    return answerList(
      reply,
      {},
      {
        fetch: async () => (await source.next()).value ?? [],
        keysetOf: ({ id }) => ({ at: "", id }),
        present: (item) => item,
        count: async () => 0,
      },
    );
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app.close());

const paths = ["/lines", "/items", "/json"];

it.each(paths)("%s reports a failure before the first byte as an error", async (path) => {
  failAfter = 0;
  const answer = await fetch(url + path);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "unavailable" });
});

it.each(paths)("%s aborts on a later failure, so that no client takes a part for the whole", async (path) => {
  failAfter = 3;
  const answer = await fetch(url + path);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

it.each(["/lines", "/items"])("%s stops reading when the client disconnects", async (path) => {
  failAfter = Number.POSITIVE_INFINITY;
  isClosed = Promise.withResolvers();
  const gone = new AbortController();
  const answer = await fetch(url + path, { signal: gone.signal });
  await answer.body?.getReader().read();
  gone.abort();
  await isClosed.promise;
  expect((await fetch(`${url}/nowhere`)).status).toBe(404);
});
