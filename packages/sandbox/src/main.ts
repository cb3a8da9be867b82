import { DEFAULT_PORT, DEFAULT_SEED_LEADS } from "./defaults.ts";
import { numberOr } from "./number-or.ts";
import { startSandbox } from "./server.ts";

const { env } = process;
const port = numberOr(env.SANDBOX_PORT, DEFAULT_PORT);

try {
  const sandbox = await startSandbox({
    port,
    host: env.HOST || "127.0.0.1",
    dataDir: env.DATA_DIR || "./data",
    speed: Math.max(0.1, numberOr(env.SANDBOX_SPEED, 1)),
    seedLeads: numberOr(env.SANDBOX_SEED_LEADS, DEFAULT_SEED_LEADS),
    ghlRateLimit: env.SANDBOX_GHL_RATE_LIMIT !== "off",
    ownUrl: `http://127.0.0.1:${port}`,
    portalUrl: env.SANDBOX_PORTAL_URL || `http://localhost:${port - 1}`,
  });
  const stop = async (): Promise<void> => {
    await sandbox.close();
    process.exit(0);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // The start script holds the other end: the pipe closes when that script ends, in whatever way.
  if (env.START_PARENT_PIPE === "1") process.stdin.resume().once("close", () => process.exit(0));
  process.stdout.write(`sandbox listening on ${sandbox.url}\n`);
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason =
    code === "EADDRINUSE" ? `port ${port} is taken` : String(error instanceof Error ? error.message : error);
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exit(1);
}
