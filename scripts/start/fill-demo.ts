import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../lib/environment.ts";

/** Whether the database is unused and needs the demo's history; false if it does not respond, which the portal reports itself. */
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

/** Starts a process that loads its modules and then waits for the database's address; it ends with this one. */
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
 * Fills an unused database, and the sandbox, with the demo's history, in a process that ends afterwards. If that fails the portal starts
 * without the history, and the next start tries again while the database is unused.
 * @param isNew whether the database is about to be created: the process is then loaded meanwhile
 * @param database resolves with the database's address once it responds
 * @param sandbox resolves once the sandbox responds
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
