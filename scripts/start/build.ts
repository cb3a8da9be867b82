import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { PlainError } from "../lib/plain-error.ts";

/** Build targets: the web for browsers, the server as one JavaScript file. */
export type Target = "web" | "server";

const shared = ["packages/contract", "package-lock.json", "tsconfig.base.json"];
const noSource = /(^|\/)(node_modules|dist)$|\.test\.tsx?$/;

const listFiles = (root: string, path: string): string[] => {
  if (noSource.test(path) || !existsSync(join(root, path))) return [];
  try {
    return readdirSync(join(root, path))
      .sort()
      .flatMap((name) => listFiles(root, `${path}/${name}`));
  } catch {
    return [path];
  }
};

/** A hash of the names and contents of all sources of a target. */
export const hashSources = (root: string, target: Target): string => {
  const hash = createHash("sha256");
  for (const path of [`apps/${target}`, ...shared].flatMap((source) => listFiles(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
};

/**
 * Builds a target into its `dist` if its sources have changed since the last build. The build is written elsewhere and moved when complete.
 * @returns whether it built
 */
export const ensureBuilt = async ({
  root,
  target,
  signal,
}: {
  root: string;
  target: Target;
  signal?: AbortSignal;
}): Promise<boolean> => {
  const dist = join(root, "apps", target, "dist");
  const stamp = join(dist, ".build-hash");
  const hash = hashSources(root, target);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return false;
  process.stdout.write(`Building the ${target}…\n`);
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, `${target}-`));
  const old = `${fresh}-old`;
  try {
    const build = spawn(
      process.execPath,
      [
        join(root, "node_modules/vite/bin/vite.js"),
        "build",
        "--outDir",
        fresh,
        "--emptyOutDir",
        "--logLevel",
        "warn",
      ],
      {
        cwd: join(root, "apps", target),
        env: { ...process.env, NODE_ENV: "production" },
        stdio: ["ignore", "inherit", "inherit"],
        ...(signal ? { signal } : {}),
      },
    );
    const [code] = await once(build, "exit");
    if (code !== 0) throw new PlainError(`The ${target} could not be built; Vite says why above.`);
    writeFileSync(join(fresh, ".build-hash"), hash);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    return true;
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
};
