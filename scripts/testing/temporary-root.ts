import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const enough = 2 * 1024 ** 3;

/**
 * Where tests make their folders: in memory, where the system has a folder there with room for them, as each database of a test is a
 * thousand files to copy and to remove again, which costs a disk ten times as much; or else where other temporary files lie.
 */
export const temporaryRoot = (): string => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
};
