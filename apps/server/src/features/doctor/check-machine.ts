import { constants } from "node:fs";
import { access, readFile, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { DoctorCheck } from "./types.ts";

const gigabyte = 1e9;
const gigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`;

/** The versions of the programs, and the machine. */
export function describeMachine(version: string): DoctorCheck[] {
  const info = (name: string, text: string): DoctorCheck => ({ name, status: "info", text });
  return [
    info("Portal", version),
    info("Node.js", `${process.version}, ${process.platform} ${process.arch}`),
    info("System", `${os.version()} ${os.release()}, up ${(os.uptime() / 3_600).toFixed(1)} h`),
    info(
      "Processors",
      `${os.availableParallelism()}, load ${os
        .loadavg()
        .map((of) => of.toFixed(1))
        .join(" ")}`,
    ),
    info("Memory", `${gigabytes(os.freemem())} free of ${gigabytes(os.totalmem())}`),
    info("Clock", `${new Date().toISOString()}, zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`),
  ];
}

/** Below this share or size a warning is given, because the disk may soon be full. */
const low = { share: 0.1, bytes: 2 * gigabyte };
const least = { share: 0.03, bytes: 0.5 * gigabyte };

/** Checks the free space in a folder that the portal writes to. */
export async function checkDisk(name: string, folder: string): Promise<DoctorCheck> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const below = (limit: typeof low) => free < limit.bytes || free < limit.share * blocks * bsize;
    const status = below(least) ? "fail" : below(low) ? "warn" : "ok";
    return { name, status, text: `${folder}: ${gigabytes(free)} free of ${gigabytes(blocks * bsize)}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { name, status: "fail", text: `${folder}: cannot be written (${code})` };
  }
}

const logTail = 256 * 1024;
const shownLines = 3;

/**
 * Reports why the embedded PostgreSQL ended or ran out of space, without statements, which contain users' texts; nothing if it is another
 * server.
 */
export async function readPostgresLog(dataDir: string): Promise<DoctorCheck[]> {
  const name = "postgres.log";
  try {
    const lines = (await readFile(path.join(dataDir, name), "utf8"))
      .slice(-logTail)
      .split("\n")
      .filter((line) => /\b(FATAL|PANIC):|No space left/.test(line) && !line.includes("STATEMENT:"));
    const last = lines.slice(-shownLines);
    return last.length === 0
      ? [{ name, status: "ok", text: "nothing fatal of late" }]
      : last.map((text) => ({ name, status: "info" as const, text }));
  } catch {
    return [];
  }
}
