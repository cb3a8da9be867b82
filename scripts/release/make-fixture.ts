import { statSync } from "node:fs";
import { makeBackup } from "../../apps/server/src/platform/db/backup/make-backup.ts";
import { buildTestApp } from "../../apps/server/src/testing/test-app.ts";
import { fillDemo } from "../../packages/demo/src/fill.ts";
import { temporarySandbox } from "../../packages/sandbox/src/testing/temporary-sandbox.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startTestPostgres } from "../test/test-postgres.ts";

/** The demo's usual sixty days would take one and a half megabytes. */
const days = 20;
const mostBytes = 1_000_000;
/** Encryption key of the demo's values, also used by the test that restores every release's backup. */
const encryptionKey = "demo-only-encryption-key-0123456789";

/**
 * Makes a backup of this version's demo, in a database of its own, with which later versions test their restore. Errors: `PlainError` if it
 * is too large for the repository.
 */
export const makeFixture = async (file: string): Promise<void> => {
  const postgres = await startTestPostgres();
  try {
    const sandbox = await temporarySandbox({ seedLeads: 30 });
    try {
      const timeZone = "America/New_York";
      const { url } = postgres;
      await fillDemo({ databaseUrl: url, sandboxUrl: sandbox.url, timeZone, production: false, days });
    } finally {
      await sandbox.close();
    }
    // pg-boss creates its own schema, and metrics are computed when a portal starts.
    const app = await buildTestApp({ databaseUrl: postgres.url, jobs: true });
    await app.close();
    await makeBackup({ url: postgres.url, file }, { backupKey: null, encryptionKey });
    const { size } = statSync(file);
    if (size > mostBytes)
      throw new PlainError(`The backup has ${size} bytes: a release keeps at most ${mostBytes}.`);
  } finally {
    await postgres.stop();
  }
};
