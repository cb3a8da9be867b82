import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../lib/environment.ts";

/** Whether the demo's history would find an unused database; not where none answers, of which the portal tells. */
const wants = async (databaseUrl: string): Promise<boolean> => {
  const [{ default: pg }, { isUnused }] = await Promise.all([
    import("pg"),
    import("../../packages/demo/src/unused.ts"),
  ]);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return await isUnused(client);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** A process that loads what it needs and then waits to be told of its database; it ends with this one. */
const spawnDemo = ({ env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal }): ChildProcess => {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(root, "packages/demo/src/main.ts")],
    { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  child.once("exit", () => signal.removeEventListener("abort", kill));
  return child;
};

/**
 * Fills an unused database, and the sandbox, with the demo's history, by a process that is gone a moment afterwards.
 * Where that fails the portal starts without, and the next start tries again as long as the database is unused.
 * @param isNew whether the database is about to be made: the process is then loaded meanwhile
 * @param database resolves with the database's address once it answers
 * @param sandbox resolves once the sandbox answers
 * @param started called with the process id
 */
export const fillDemo = async (options: {
  env: NodeJS.ProcessEnv;
  isNew: boolean;
  database: Promise<string>;
  sandbox: Promise<void>;
  signal: AbortSignal;
  started?: (pid: number | undefined) => void;
}): Promise<void> => {
  const { env, signal } = options;
  const early = options.isNew ? spawnDemo({ env, signal }) : undefined;
  const databaseUrl = await options.database;
  if (!early && !(await wants(databaseUrl))) return;
  const child = early ?? spawnDemo({ env, signal });
  options.started?.(child.pid);
  await options.sandbox;
  if (signal.aborted) return;
  process.stdout.write("Making the demo's history…\n");
  const ended = once(child, "exit").then(([code]) => code === 0);
  const filled = once(child, "message").then(() => true);
  child.send({ databaseUrl }, () => undefined);
  const isDone = await Promise.race([ended, filled]);
  if (!isDone && !signal.aborted)
    process.stderr.write("The demo's history could not be made: the portal starts without it.\n");
};
