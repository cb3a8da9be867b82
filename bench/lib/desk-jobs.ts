import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { startService } from "./service.ts";

const rowCount = 5_000;
const contacts = 5_000;
const freshContacts = 500;
const firstNames = ["Ana", "Luis", "María", "Robert", "Carmen", "José", "Dana", "Sofía"];

interface Run {
  importId?: number;
  runId?: number;
  running: boolean;
  imported?: number;
  synced?: number;
}

/** A file of `rowCount` rows with people that do not exist elsewhere. */
function fileOf(round: number): string {
  const rows = Array.from({ length: rowCount }, (_, n) => {
    const number = String(round * rowCount + n);
    const phone = `+1${212 + (round % 500)}${String(2_000_000 + n).padStart(7, "0")}`;
    return `${firstNames[n % 8]} Import ${number},import.${number}@example.com,${phone},Company ${n % 900}`;
  });
  return ["Name,Email,Phone,Company", ...rows].join("\n");
}

/**
 * Background work during the load: an import of a file and a sync with the CRM, which is the sandbox. `env` gives the portal access to it;
 * `run` does both once, with new rows and new contacts each time, and returns the number of leads from each.
 */
export async function startDeskJobs(): Promise<{
  env: Record<string, string>;
  run: (url: string, cookie: string) => Promise<{ imported: number; synced: number }>;
  stop: () => Promise<void>;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), "portal-bench-desk-"));
  const port = await freePort();
  const sandboxUrl = `http://127.0.0.1:${port}`;
  const sandbox = await startService({
    entry: "packages/sandbox/src/main.ts",
    env: { SANDBOX_PORT: String(port), DATA_DIR: dataDir, SANDBOX_SEED_LEADS: "0" },
    probe: `${sandboxUrl}/health`,
  });
  const generate = (count: number) =>
    fetch(`${sandboxUrl}/control/ghl/generate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ count }),
    });
  await generate(contacts);
  let round = 0;

  return {
    env: {
      GHL_BASE_URL: `${sandboxUrl}/ghl`,
      GHL_PRIVATE_TOKEN: "pit-sandbox-token",
      GHL_LOCATION_ID: "loc0000000000000001",
    },
    run: async (url, cookie) => {
      round += 1;
      await generate(freshContacts);
      const ask = async (path: string, init: RequestInit = {}): Promise<Run> => {
        const answer = await fetch(`${url}${path}`, { ...init, headers: { cookie, ...init.headers } });
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
        return (await answer.json()) as Run;
      };
      /** Polls until the run has ended. */
      const untilOver = async (begun: Run, pathOf: (run: Run) => string): Promise<Run> => {
        let run = begun;
        for (; run.running; await sleep(500)) run = await ask(pathOf(begun));
        return run;
      };
      const imports = ask(`/api/import/leads?fileName=desk-${round}.csv`, {
        method: "POST",
        headers: { "content-type": "text/csv" },
        body: fileOf(round),
      }).then((begun) => untilOver(begun, ({ importId }) => `/api/imports/${importId}`));
      const sync = ask("/api/ghl/sync", { method: "POST" }).then((begun) =>
        untilOver(begun, ({ runId }) => `/api/ghl/sync-runs/${runId}`),
      );
      const [{ imported = 0 }, { synced = 0 }] = await Promise.all([imports, sync]);
      return { imported, synced };
    },
    stop: async () => {
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
