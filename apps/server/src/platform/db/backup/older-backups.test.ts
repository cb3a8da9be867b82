import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { buildTestApp } from "../../../testing/test-app.ts";
import { createEmptyDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { withClient } from "../migrate.ts";
import { restoreBackup } from "./restore-backup.ts";

/** A backup of every released version: its file is added with the release and stays. Their accounts are those of the demo. */
const folder = path.join(import.meta.dirname, "../../../testing/backups");
const files = readdirSync(folder);
const keys = { backupKey: null, encryptionKey: "demo-only-encryption-key-0123456789" };
/** Tables that have been renamed since. */
const renamed: Record<string, string> = { intake_keys: "lead_webhook_sources" };
/** Tables of counts that are derived from the other tables' rows, and are computed differently since. */
const counts = ["figure_changes", "figure_state", "figures", "lead_calls"];
const mostBytes = 1_000_000;

const open: TestDatabase[] = [];
afterAll(() => Promise.all(open.map((database) => database.drop())));

async function countOf(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as n from ${pg.escapeIdentifier(table)}`);
  return rows[0].n;
}

it.each(files)(
  "a backup of an older version restores every row, and the portal starts on it: %s",
  async (name) => {
    const file = path.join(folder, name);
    expect(statSync(file).size).toBeLessThan(mostBytes);
    const place = await createEmptyDatabase();
    open.push(place);
    const { manifest, isSameKey } = await restoreBackup({ url: place.url, file }, keys);
    expect(isSameKey).toBe(true);
    const held = manifest.tables.filter(
      ({ schema, name, rows }) => schema === "public" && rows > 0 && !counts.includes(name),
    );
    expect(held.length).toBeGreaterThan(10);
    await withClient(place.url, async (client) => {
      for (const table of held) {
        const now = renamed[table.name] ?? table.name;
        expect([now, await countOf(client, now)]).toEqual([now, table.rows]);
      }
    });

    const app = await buildTestApp({ databaseUrl: place.url, jobs: true });
    const admin = await app.signIn({ role: "admin" });
    const { status, body } = await admin.get("/api/leads/all");
    const leads = manifest.tables.find(({ name }) => name === "leads");
    expect([status, body.length]).toEqual([200, leads?.rows]);
    await app.close();
  },
);
