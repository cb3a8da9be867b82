import { spawn } from "node:child_process";
import { once } from "node:events";

/** A command that runs to completion. */
type Command = {
  /** The script and arguments that Node runs. */
  args: string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
};

/** A command with the name that is shown with its result. */
export type Step = Command & { name: string };

/** Runs a command and shows its output. @returns its exit code */
export const runInView = async (command: Command & { stdin?: "ignore" | "inherit" }): Promise<number> => {
  const { args, cwd, env, signal, stdin = "ignore" } = command;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [stdin, "inherit", "inherit"],
    ...(signal ? { signal } : {}),
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
};

/** Runs a step and shows its output only if it failed. @returns whether it passed */
export const runQuietly = async ({ name, args, cwd, env, signal }: Step): Promise<boolean> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal ? { signal } : {}),
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, "close");
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${Buffer.concat(said)}\n`);
  return code === 0;
};
