import { statSync } from "node:fs";
import { makeBackup } from "../../apps/server/src/platform/db/backup/make-backup.ts";
import { buildTestApp } from "../../apps/server/src/testing/test-app.ts";
import { fillDemo } from "../../packages/demo/src/fill.ts";
import { temporarySandbox } from "../../packages/sandbox/src/testing/temporary-sandbox.ts";
import { PlainError } from "../lib/plain-error.ts";
import { startTestPostgres } from "../test/test-postgres.ts";

/** The demo's sixty days would be one and a half megabytes. */
const days = 20;
const mostBytes = 1_000_000;
/** What the demo's values are encrypted with, and the test that restores every release's backup. */
const encryptionKey = "demo-only-encryption-key-0123456789";

/**
 * Makes a backup of the demo as this version fills it, on a database of its own: later versions are tested to restore it. Errors: `PlainError` where it is
 * larger than a repository should keep.
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
    // Jobs have a schema that they make themselves, and figures are made when a portal starts.
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
