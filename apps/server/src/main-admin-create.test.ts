import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function createAdmin(password: string) {
  const child = spawn(process.execPath, [new URL("main-admin-create.ts", import.meta.url).pathname], {
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

it("makes the first administrator, but not with one of the most used passwords", {
  timeout: 30_000,
}, async () => {
  const common = await createAdmin("123456");
  expect(common.code).toBe(1);
  expect(common.output).toContain("most used");
  expect((await createAdmin("a-password-of-its-own")).code).toBe(0);
});
