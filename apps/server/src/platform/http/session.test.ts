import { expect, it } from "vitest";
import { buildTestApp } from "../../testing/test-app.ts";

it("answers 503, and not that nobody is signed in, while there is no database", async () => {
  const app = await buildTestApp();
  const ana = await app.signIn();
  app.deps.sessions.forget(ana.user.id);
  const { pool } = app.deps.database;
  const connect = pool.connect;
  pool.connect = (() =>
    Promise.reject(
      Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    )) as typeof connect;
  pool.query = (() => pool.connect()) as unknown as typeof pool.query;
  const read = await ana.get("/api/current-user");
  const signIn = await app.request("POST", "/api/login/local", {
    body: { email: ana.user.email, password: ana.user.password },
  });
  pool.connect = connect;
  expect(read).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(signIn).toMatchObject({ status: 503, body: { code: "unavailable" } });
  await app.close();
});
