import { join } from "node:path";
import type { TestUser } from "../../apps/server/src/testing/factories.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { root } from "../../scripts/lib/environment.ts";
import { zone } from "./scale-data.ts";
import { portalProcess, type Service, startService } from "./service.ts";

export interface ScalePortal {
  url: string;
  service: Service;
  /** Milliseconds from the start to the first healthy response. */
  startMs: number;
}

/** The portal as in production: sessions, roles, validation, logs of every request; no provider has keys except those in `env`. */
export async function startScalePortal(
  databaseUrl: string,
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<ScalePortal> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const service = await startService({
    ...portalProcess,
    nodeOptions: [...portalProcess.nodeOptions, ...nodeOptions],
    env: {
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: url,
      SESSION_SECRET: "bench".repeat(8),
      ENCRYPTION_KEY: "bench".repeat(8),
      ADMIN_EMAIL: "admin@example.com",
      ORG_TIME_ZONE: zone,
      // Stored as by `npm start`.
      NODE_COMPILE_CACHE: join(root, ".cache/bench-compiled"),
      ...env,
    },
    probe: `${url}/api/health`,
    pollMs: 5,
  });
  return { url, service, startMs: performance.now() - startedAt };
}

/** @returns the headers of a signed-in person's requests */
export async function signIn(url: string, { email, password }: TestUser): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/login/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}`);
  return {
    cookie: String(answer.headers.get("set-cookie")).split(";")[0] ?? "",
    "content-type": "application/json",
  };
}
