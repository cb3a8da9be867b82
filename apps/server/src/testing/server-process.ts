import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A machine that runs many tests at once is slow, and a server under test refuses no request for that. */
export const patientSettings = {
  MAX_EVENT_LOOP_DELAY_MS: "120000",
  DATABASE_WAIT_MS: "60000",
  USER_REQUESTS_PER_MINUTE: "10000000",
};

/** What runs: under `npm test` the built server, which starts in a quarter of the time; by hand its sources, which need no build. */
const entry = process.env.TEST_SERVER_ENTRY || path.join(import.meta.dirname, "../main.ts");

/** A port that is free now, below those that the system gives to outgoing connections: none of them takes it meanwhile. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}

/** The server as it runs in earnest, in a process of its own, to be ended or killed. `log`: a file that its log goes to. */
export function startServer(env: Record<string, string>, log?: number) {
  const child = spawn(process.execPath, [entry], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SANDBOX_PORT: "9",
      LOG_LEVEL: "info",
      ...patientSettings,
      ...env,
    },
    stdio: ["pipe", log ?? "pipe", "pipe"],
  });
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const exit = once(child, "exit").then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${env.PORT}`;

  return {
    child,
    url,
    /** Its exit code, once it has ended. */
    exit,
    output: () => output,
    async untilHealthy(): Promise<void> {
      for (const deadline = Date.now() + 100_000; ; await sleep(50)) {
        const answer = await fetch(`${url}/api/health`).catch(() => null);
        if (answer?.ok) return;
        if (Date.now() > deadline || child.exitCode !== null) throw new Error(`no server came up: ${output}`);
      }
    },
    /** Signs in as one of the demo's people; answers the cookie. */
    async signIn(email: string, password = "portal-demo"): Promise<string> {
      const answer = await fetch(`${url}/api/login/local`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      });
      if (!answer.ok) throw new Error(`sign-in answered ${answer.status}`);
      return String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
    },
    /** By SIGKILL; resolves once the process is gone. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

export type ServerProcess = ReturnType<typeof startServer>;
