import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** The exit code of a part whose environment is not usable (EX_CONFIG in sysexits.h). */
const unusableEnvironment = 78;

/** Pauses before restarting a part that repeatedly ends before it is ready. */
const delaysMs = [0, 250, 500, 1000, 2000, 5000, 10_000];
const timeoutMs = 15_000;
// Loading modules creates much short-lived garbage: a small young generation halves a part's memory.
export const nodeOptions = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=8"];

/** One of the processes under the start script. */
export type Part = {
  /** Its process id; undefined between an end and the next start. */
  pid(): number | undefined;
  /** Resolves when the part responds: at once if it already does, and again after a restart. */
  up(): Promise<void>;
  /** Restarts it with the current environment. */
  restart(): void;
  /** Ends it for good and waits for its end. */
  stop(): Promise<void>;
};

type Options = {
  /** Its name in messages, for example "The portal". */
  name: string;
  /** Arguments of Node: options, then a file and its arguments. */
  args: string[];
  /** Read again at each start. */
  env: () => NodeJS.ProcessEnv;
  /** Responds with 200 once the part is ready. */
  probe: string;
  /** Called with the process id at each start. */
  started: (pid: number) => void;
  /** Called once, if the part cannot be kept running. */
  gaveUp: (message: string) => void;
};

const isAnswered = async (probe: string): Promise<boolean> => {
  try {
    return (await fetch(probe, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
};

/**
 * Runs a file as a process of its own and restarts it when it ends by itself: at once if it was ready before, after an increasing pause
 * otherwise. It ends with this process, even after kill -9: its stdin is a pipe that it watches. A part that ends with an error before it
 * ever responded is given up.
 */
export const supervise = ({ name, args, env, probe, started, gaveUp }: Options): Part => {
  let up = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let answers = false;
  let answeredOnce = false;
  let stopping = false;
  let failures = 0;

  /** Polls until the process responds or has ended. */
  const watchUntilUp = async (running: ChildProcess): Promise<void> => {
    while (child === running && !stopping) {
      if ((await isAnswered(probe)) && child === running) {
        answers = true;
        answeredOnce = true;
        failures = 0;
        up.resolve();
        return;
      }
      await sleep(25);
    }
  };

  const start = (): void => {
    const running = spawn(process.execPath, [...nodeOptions, ...args], {
      env: { ...process.env, ...env(), START_PARENT_PIPE: "1" },
      // A process group of its own: Ctrl-C in the terminal is handled by the start script, which ends the parts in order.
      detached: process.platform !== "win32",
      stdio: ["pipe", "inherit", "inherit"],
    });
    child = running;
    if (running.pid) started(running.pid);
    running.stdin?.on("error", () => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    ended = promise;
    running.once("exit", (code, signal) => {
      child = undefined;
      resolve();
      if (stopping) return;
      if (code === unusableEnvironment) return gaveUp("");
      if (code && !answeredOnce) return gaveUp(`${name} ended before it could serve (exit code ${code}).\n`);
      if (answers) up = Promise.withResolvers<void>();
      answers = false;
      const delay = delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0;
      failures += 1;
      const when = delay ? ` in ${delay / 1000} s` : "";
      process.stdout.write(
        `${name} was ended (${signal ?? `exit code ${code}`}); starting it again${when}.\n`,
      );
      setTimeout(() => stopping || start(), delay);
    });
    void watchUntilUp(running);
  };

  start();
  return {
    pid: () => child?.pid,
    up: () => up.promise,
    restart: () => child?.kill("SIGTERM"),
    stop: async () => {
      stopping = true;
      if (!child) return;
      if (process.platform === "win32") child.stdin?.end();
      else child.kill("SIGTERM");
      const killTimer = setTimeout(() => child?.kill("SIGKILL"), timeoutMs);
      await ended;
      clearTimeout(killTimer);
    },
  };
};
