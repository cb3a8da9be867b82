import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The process that listens on a port; null if this machine or missing permissions do not reveal it. */
export type PortHolder = { pid: number; command: string };

/** Inodes of sockets that listen on the port. Format: proc(5), /proc/net/tcp: local address in field 1, state 0A, inode in field 9. */
const findInodes = (port: number): string[] => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .flatMap((field) => (field[1]?.endsWith(suffix) && field[3] === "0A" && field[9] ? [field[9]] : [])),
  );
};

const holdsOneOf = (pid: string, sockets: Set<string>): boolean => {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
};

/** Finds the process that listens on a TCP port of this machine, as far as /proc reveals it. */
export const findPortHolder = (port: number): PortHolder | null => {
  if (process.platform !== "linux") return null;
  try {
    const sockets = new Set(findInodes(port).map((inode) => `socket:[${inode}]`));
    if (sockets.size === 0) return null;
    const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holdsOneOf(name, sockets));
    if (!pid) return null;
    const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const command = [basename(program), ...args.filter((arg) => !arg.startsWith("--"))].join(" ").trim();
    return { pid: Number(pid), command: command.length > 120 ? `${command.slice(0, 119)}…` : command };
  } catch {
    return null;
  }
};
