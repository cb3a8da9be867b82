import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryRoot } from "./temporary-root.ts";

/** A folder for one test, with a space in its path; every account may enter it. */
export const makeTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(temporaryRoot(), "portal scripts-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
