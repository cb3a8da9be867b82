import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const enough = 2 * 1024 ** 3;

/**
 * Where tests create their folders: in memory if the system has a folder there with enough space, because each test database has a thousand
 * files to copy and remove, which takes ten times as long on a disk; otherwise in the usual temporary folder.
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
