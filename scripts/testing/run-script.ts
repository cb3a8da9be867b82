import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Runs TypeScript in a process of its own until it prints a line. @returns the process and that line, parsed */
export const runScript = async <T>(source: string): Promise<{ child: ChildProcess; said: T }> => {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--no-warnings", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk] = await once(child.stdout, "data");
  return { child, said: JSON.parse(String(chunk).split("\n", 1)[0] ?? "") as T };
};

/** Kills a process (kill -9) and waits until it has ended. */
export const killHard = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
};
