import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildSandbox } from "./server.ts";

test("answers without listening, and releases its state folder when closed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "sandbox-test-"));
  for (const round of [1, 2]) {
    const app = buildSandbox({ dataDir, seedLeads: 5 });
    const { contacts } = (await app.inject("/control/ghl/contacts")).json();
    expect([round, contacts.length]).toEqual([round, 5]);
    await app.close();
  }
  await rm(dataDir, { recursive: true, force: true });
});
