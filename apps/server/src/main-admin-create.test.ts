import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function createAdmin(password: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main-admin-create.ts")], {
    env: { ...process.env, DATABASE_URL: database.url, ADMIN_EMAIL: "boss@example.com" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      output += part.toString();
    });
  child.stdin.end(`${password}\n`);
  const [code] = await once(child, "close");
  return { code, output };
}

it("creates the first administrator, rejects common passwords, and restores access later", {
  timeout: 60_000,
}, async () => {
  const common = await createAdmin("123456");
  expect(common.code).toBe(1);
  expect(common.output).toContain("most used");
  const own = await createAdmin("boss@example.com");
  expect(own).toMatchObject({ code: 1, output: expect.stringContaining("your email address") });
  expect((await createAdmin("a-password-of-its-own")).code).toBe(0);
  const query = async (text: string) => (await app.query(text)).rows;
  const app = new pg.Client({ connectionString: database.url });
  await app.connect();
  await query("update users set role = 'consultant', disabled_at = now()");
  const [before] = await query("select password from accounts");
  const again = await createAdmin("another-of-its-own");
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining("with the new password") });
  expect(await query("select role, disabled_at from users")).toEqual([{ role: "admin", disabled_at: null }]);
  expect((await query("select password from accounts"))[0].password).not.toBe(before?.password);

  // An address that a user claims without having been given it does not make an administrator.
  await query("update users set role = 'consultant', given_email = 'rep@example.com'");
  const claimed = await createAdmin("a-third-of-its-own");
  expect(claimed).toMatchObject({ code: 1, output: expect.stringContaining("changed to this address") });
  expect(await query("select role from users")).toEqual([{ role: "consultant" }]);
  await app.end();
});
