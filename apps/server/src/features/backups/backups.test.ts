import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkBackup } from "../../platform/db/backup/backup-file.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { makeDueBackup } from "./service.ts";

const key = "a-key-for-backups-0123456789-abcdef";
const folder = mkdtempSync(path.join(tmpdir(), "portal-backups-test-"));
const filesIn = () => readdirSync(folder).sort();
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await buildTestApp({ env: { BACKUP_DIR: folder, BACKUP_KEEP: "2", BACKUP_KEY: key } });
  admin = await app.signIn({ role: "admin" });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const state = async () => (await admin.get("/api/go-live")).body.backup;
const yesterday = () =>
  app.deps.database.pool.query(
    "update backup_runs set started_at = started_at - interval '25 hours', ended_at = ended_at - interval '25 hours'",
  );

it("a due backup is made by one process and shown in the checklist, and only then old ones are deleted", async () => {
  expect(await state()).toEqual({ last: null, failedAt: null, everyHours: 24, isOpen: true });
  const old = ["portal-20260101-000000Z.backup", "portal-20260102-000000Z.backup"];
  const half = "portal-20260103-000000Z.backup.part";
  for (const name of [...old, half, "notes.txt"]) writeFileSync(path.join(folder, name), "");

  // If the folder is not writable, the backup fails, nothing is removed, and it is not retried at once.
  const blocked = path.join(folder, "notes.txt");
  expect(await makeDueBackup(app.deps, blocked)).toBe(false);
  expect(await makeDueBackup(app.deps, folder)).toBe(false);
  expect(await state()).toMatchObject({ last: null, failedAt: expect.any(String), isOpen: true });
  expect(filesIn()).toEqual(["notes.txt", ...old, half].sort());

  await yesterday();
  const made = await Promise.all([makeDueBackup(app.deps, folder), makeDueBackup(app.deps, folder)]);
  expect(made.sort()).toEqual([false, true]);
  expect(await state()).toMatchObject({ last: { isEncrypted: true }, failedAt: null, isOpen: false });
  const [notes, kept, newest = "", ...others] = filesIn();
  expect([notes, kept, others]).toEqual(["notes.txt", old[1], []]);
  expect((await checkBackup(path.join(folder, newest), key)).tables.length).toBeGreaterThan(50);

  expect(await makeDueBackup(app.deps, folder)).toBe(false);
  await yesterday();
  await yesterday();
  expect(await state()).toMatchObject({ isOpen: true });
});
