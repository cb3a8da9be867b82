import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Content of postmaster.pid of a running server (PostgreSQL: src/include/utils/pidfile.h). */
export type Postmaster = { pid: number; port: number; socketFolder: string; ready: boolean };

/** Reads postmaster.pid; undefined if it does not exist or is incomplete. */
export const readPostmaster = (cluster: string): Postmaster | undefined => {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? "", ready: lines[7]?.trim() === "ready" };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** A dead child that its parent has not reaped still has a pid, but neither a working folder nor files. */
const worksIn = ({ pid, cluster }: { pid: number | string; cluster: string }): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
};

/** Whether the process with this pid is a PostgreSQL that uses the cluster's folder, and not a process that reused the pid. */
export const isPostmasterOf = ({ pid, cluster }: { pid: number; cluster: string }): boolean => {
  if (!isAlive(pid)) return false;
  if (process.platform === "linux") return worksIn({ pid, cluster });
  if (process.platform === "win32") return true;
  try {
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(cluster);
  } catch {
    return false;
  }
};

/**
 * Waits until no process uses the cluster any more (after SIGKILL its children need a moment to notice), then removes a leftover
 * postmaster.pid, which would prevent the next start if its pid was reused or not reaped.
 */
export const clearDeadPostmaster = async (cluster: string): Promise<void> => {
  const isBusy = (): boolean =>
    process.platform === "linux" &&
    readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && worksIn({ pid, cluster }));
  for (let waited = 0; waited < 10_000 && isBusy(); waited += 50) await sleep(50);
  if (!isBusy()) rmSync(join(cluster, "postmaster.pid"), { force: true });
};

/** Whether the server's address accepts connections. */
export const acceptsConnections = ({ port, socketFolder }: Postmaster): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket =
    socketFolder && existsSync(socketFolder)
      ? connect(join(socketFolder, `.s.PGSQL.${port}`))
      : connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
};

/** Ends a server with its "fast" shutdown (connections are closed, everything is written), and waits for its end. */
export const stopPostmaster = async ({
  pid,
  cluster,
  bin,
}: {
  pid: number;
  cluster: string;
  bin: string;
}): Promise<void> => {
  if (process.platform === "win32") {
    execFileSync(join(bin, "pg_ctl"), ["stop", "-D", cluster, "-m", "fast"], { stdio: "ignore" });
    return;
  }
  for (const [signal, patience] of [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (!isPostmasterOf({ pid, cluster })) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < patience && isPostmasterOf({ pid, cluster }); waited += 20) await sleep(20);
  }
};
