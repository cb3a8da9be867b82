import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../scripts/lib/environment.ts";
import { nodeOptions } from "../../scripts/start/part.ts";

const healthyMs = 60_000;
const plainOptions = ["--disable-warning=ExperimentalWarning"];

/** The portal as `npm start` runs it. */
export const portalProcess = { entry: "apps/server/dist/main.js", nodeOptions } as const;

/** A part of the product as a process of its own. */
export type Service = {
  /** Kills it (kill -9) and starts it again; resolves when it is healthy. */
  killAndRestart(): Promise<void>;
  /** Whether the process that was started last still runs. */
  isRunning(): boolean;
  stop(): Promise<void>;
  pid(): number;
  /** Sends a signal and waits for the end. @returns the exit code; null if a signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again after its end; resolves when it is healthy. */
  restart(): Promise<void>;
  /** Current and peak resident memory, MB (from /proc; 0 without it). */
  memoryMb(): number;
  peakMemoryMb(): number;
  /** Open file descriptors (from /proc). */
  descriptors(): number;
};

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
};

/** A value of /proc/<pid>/status in MB. */
const procFigure = (pid: number | undefined, name: string): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** Starts a file of the repository and waits until `probe` responds. It ends with this process, in whatever way this one ends. */
export const startService = async (options: {
  entry: string;
  /** Options of Node. */
  nodeOptions?: readonly string[];
  env: Record<string, string>;
  probe: string;
  /** Interval of the polls. */
  pollMs?: number;
  /** A command that runs Node, with its options. */
  under?: readonly string[];
  /** A file for what it prints; otherwise that is dropped. */
  log?: string;
}): Promise<Service> => {
  const launch = async (): Promise<ChildProcess> => {
    const [command = "", ...args] = [
      ...(options.under ?? []),
      process.execPath,
      ...(options.nodeOptions ?? plainOptions),
      options.entry,
    ];
    const log = options.log ? openSync(options.log, "a") : "ignore";
    const child = spawn(command, args, {
      cwd: root,
      // A bench sends the requests of many users as few, so their limit is raised.
      env: { ...process.env, USER_REQUESTS_PER_MINUTE: "10000000", ...options.env, START_PARENT_PIPE: "1" },
      stdio: ["pipe", log, "inherit"],
    });
    if (typeof log === "number") closeSync(log);
    const deadline = Date.now() + healthyMs;
    while (Date.now() < deadline && child.exitCode === null) {
      const answer = await fetch(options.probe).catch(() => null);
      if (answer?.ok) return child;
      await sleep(options.pollMs ?? 50);
    }
    child.kill("SIGKILL");
    throw new Error(`${options.entry} did not become healthy`);
  };
  let child = await launch();
  return {
    async killAndRestart() {
      await end(child, "SIGKILL");
      child = await launch();
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => end(child, "SIGTERM"),
    pid: () => child.pid ?? 0,
    async end(signal) {
      await end(child, signal);
      return child.exitCode;
    },
    async restart() {
      child = await launch();
    },
    memoryMb: () => procFigure(child.pid, "VmRSS"),
    peakMemoryMb: () => procFigure(child.pid, "VmHWM"),
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
  };
};
