import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildUser } from "../../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";
import { makePasswordLink } from "./change-password.ts";

const newPassword = "another-password-9";
let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

async function link(userId: number): Promise<string> {
  const { url } = await app.deps.database.transaction((tx) =>
    makePasswordLink(tx, { publicUrl: app.url, userId, createdBy: null }),
  );
  const { pathname, search, hash } = new URL(url);
  expect({ pathname, search }).toEqual({ pathname: "/choose-password", search: "" });
  return hash.slice(1);
}

// Each test uses another address, because wrong tokens are counted by address.
let address = 0;
function from() {
  address += 1;
  const remoteAddress = `198.51.100.${address}`;
  return async (path: string, payload: object) => {
    const answer = await app.app.inject({ method: "POST", url: path, remoteAddress, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
}

describe("a one-time link", () => {
  it("sets a password once, ends all sessions, and is stored as a hash", async () => {
    const send = from();
    const client = await app.signIn();
    const token = await link(client.user.id);
    const { rows } = await app.deps.database.db.$client.query("select * from password_links");
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await send("/api/password-link/check", { token })).toMatchObject({
      status: 200,
      body: { name: client.user.name, email: client.user.email },
    });
    const both = await Promise.all([
      send("/api/password-link", { token, newPassword }),
      send("/api/password-link", { token, newPassword: "a-second-password-9" }),
    ]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 400]);
    expect((await client.get("/api/current-user")).status).toBe(401);
    expect((await send("/api/password-link/check", { token })).body.code).toBe("password_link_invalid");
    const { email, password } = client.user;
    expect((await send("/api/login/local", { email, password })).status).toBe(401);
    const chosen = both[0]?.status === 200 ? newPassword : "a-second-password-9";
    expect((await send("/api/login/local", { email, password: chosen })).status).toBe(200);
  });

  it("sets the first password of an account", async () => {
    const send = from();
    const user = await buildUser(app.deps.database);
    await app.deps.database.db.$client.query("delete from accounts where user_id = $1", [user.id]);
    const token = await link(user.id);
    expect((await send("/api/password-link", { token, newPassword: "12345" })).body.message).toBe(
      "Password must be at least 6 characters long.",
    );
    expect((await send("/api/password-link", { token, newPassword: "password" })).body.code).toBe(
      "password_too_common",
    );
    expect((await send("/api/password-link", { token, newPassword: `${user.name}!` })).body).toMatchObject({
      code: "password_guessable",
      message: expect.stringContaining("your name"),
    });
    expect((await send("/api/password-link", { token, newPassword })).status).toBe(200);
    expect((await send("/api/login/local", { email: user.email, password: newPassword })).status).toBe(200);
  });

  it("expires with a newer one, after its time, and with the account", async () => {
    const { db } = app.deps.database;
    const send = from();
    const user = await buildUser(app.deps.database);
    const older = await link(user.id);
    const token = await link(user.id);
    expect((await send("/api/password-link/check", { token: older })).status).toBe(400);
    await db.$client.query("update users set disabled_at = now() where id = $1", [user.id]);
    expect((await send("/api/password-link", { token, newPassword })).status).toBe(400);
    await db.$client.query("update users set disabled_at = null where id = $1", [user.id]);
    expect((await send("/api/password-link/check", { token })).status).toBe(200);
    await db.$client.query("update password_links set expires_at = now() where user_id = $1", [user.id]);
    expect((await send("/api/password-link/check", { token })).status).toBe(400);
  });

  it("expires when its owner changes password or address", async () => {
    const send = from();
    const client = await app.signIn();
    const { password } = client.user;
    for (const change of [
      () => client.patch("/api/change-password", { currentPassword: password, newPassword }),
      () => client.patch("/api/profile", { email: `moved.${client.user.id}@example.com` }),
    ]) {
      const token = await link(client.user.id);
      expect((await change()).status).toBe(200);
      expect((await send("/api/password-link/check", { token })).status).toBe(400);
    }
  });

  it("limits invalid tokens by address, without blocking a valid one", async () => {
    const user = await buildUser(app.deps.database);
    const token = await link(user.id);
    const guess = from();
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await guess("/api/password-link/check", { token: `guess-${tries}` })).status).toBe(400);
    }
    expect((await guess("/api/password-link/check", { token: "guess-5" })).status).toBe(429);
    expect((await guess("/api/password-link", { token, newPassword })).status).toBe(200);
  });
});
