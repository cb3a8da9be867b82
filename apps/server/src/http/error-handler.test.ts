import Fastify from "fastify";
import { expect, it } from "vitest";
import { registerErrorHandler } from "./error-handler.ts";

it("answers 503 where the connection was lost in the middle of a transaction", async () => {
  const app = Fastify();
  registerErrorHandler(app);
  app.get("/", () => {
    const cause = new Error("Client has encountered a connection error and is not queryable");
    throw new Error("Failed query", { cause });
  });
  expect((await app.inject("/")).statusCode).toBe(503);
});

it.each(["40P01", "40001", "53300", "57014", "08006"])(
  "answers 503 where PostgreSQL says %s",
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
