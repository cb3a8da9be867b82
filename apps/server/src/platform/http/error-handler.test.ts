import Fastify, { type FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { expect, it } from "vitest";
import { AppError } from "./app-error.ts";
import { registerErrorHandler } from "./error-handler.ts";

it("returns 503 when the connection is lost during a transaction", async () => {
  const app = Fastify();
  registerErrorHandler(app);
  app.get("/", () => {
    const cause = new Error("Client has encountered a connection error and is not queryable");
    throw new Error("Failed query", { cause });
  });
  expect((await app.inject("/")).statusCode).toBe(503);
});

it.each(["40P01", "40001", "53300", "57014", "08006"])(
  "returns 503 when PostgreSQL reports %s",
  async (code) => {
    const app = Fastify();
    registerErrorHandler(app);
    app.get("/", () => {
      throw Object.assign(new Error("from the query layer"), {
        cause: Object.assign(new Error("why"), { code }),
      });
    });
    const answer = await app.inject("/");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: "unavailable" });
    expect(answer.body).not.toContain("why");
  },
);

it("includes when to retry, and logs a provider that is not set up in one line", async () => {
  const lines: { err?: object; code?: string; level: number }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger, disableRequestLogging: true });
  registerErrorHandler(app);
  app.get("/off", () => {
    throw new AppError("provider_off");
  });
  app.get("/down", () => {
    throw new AppError("unavailable");
  });
  const [off, down] = [await app.inject("/off"), await app.inject("/down")];
  expect([off.headers["retry-after"], down.headers["retry-after"]]).toEqual(["60", "5"]);
  expect(lines.map(({ code, err }) => [code, err !== undefined])).toEqual([
    ["provider_off", false],
    ["unavailable", true],
  ]);
});
