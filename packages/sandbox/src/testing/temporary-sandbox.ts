import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxOptions } from "../sandbox.ts";
import { startSandbox } from "../server.ts";

/** A sandbox on a free port with a state folder of its own, and a client of its control API. */
export async function temporarySandbox(options: Partial<SandboxOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "sandbox-test-"));
  const sandbox = await startSandbox({ port: 0, speed: 40, ...options, dataDir });
  return {
    url: sandbox.url,
    control: (method: string, path: string, body?: unknown) => askControl(sandbox.url, method, path, body),
    close: async () => {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read the control API's responses by field
export async function askControl(url: string, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${url}/control${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return response.json();
}
