import { accountHeader } from "@portal/contract/account-header";
import { expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp } from "../../testing/test-app.ts";

it("returns 503 instead of 401 while the database is down", async () => {
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

it("rejects a request queued for another account than the session's", async () => {
  const app = await buildTestApp();
  const [ana, ben] = [await app.signIn(), await app.signIn()];
  const { id } = await buildLead(app.deps.database, { assignedTo: ben.user.id, notes: null });
  const add = (account: number) =>
    app.request("POST", `/api/leads/${id}/notes`, {
      body: { text: "Calls at noon" },
      cookie: ben.cookie,
      headers: { [accountHeader]: String(account) },
    });
  expect(await add(ana.user.id)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  expect((await ben.get(`/api/leads/${id}`)).body).toMatchObject({ notes: null });
  expect(await add(ben.user.id)).toMatchObject({ status: 200, body: { notes: "Calls at noon" } });
  await app.close();
});
