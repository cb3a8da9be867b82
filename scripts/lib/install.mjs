import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, os?: string | string[],
 *   cpu?: string | string[], libc?: string | string[], workspaces?: string[], dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Entry
 */

/** @param {string} file @returns {any} */
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/** @param {string | string[] | undefined} wanted @param {string} have */
const suits = (wanted, have) => {
  const names = [wanted ?? []].flat();
  const allowed = names.filter((name) => !name.startsWith("!"));
  return !names.includes(`!${have}`) && (allowed.length === 0 || allowed.includes(have));
};

/** @param {Entry} entry */
const suitsThisMachine = ({ os, cpu }) => suits(os, process.platform) && suits(cpu, process.arch);

/** @param {Record<string, string> | undefined} one @param {Record<string, string> | undefined} other */
const isSame = (one = {}, other = {}) =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, range]) => other[name] === range);

/** @type {(keyof Entry & ("dependencies" | "devDependencies" | "optionalDependencies"))[]} */
const kinds = ["dependencies", "devDependencies", "optionalDependencies"];

/**
 * Whether node_modules contains what package-lock.json requires on this machine, and the lock file what the manifests require. npm writes
 * node_modules/.package-lock.json as the last step of an install, so an incomplete install never passes.
 * @param {string} root the repository's folder
 */
export const isInstalled = (root) => {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  /** @type {Record<string, Entry>} */
  const wanted = readJson(join(root, "package-lock.json")).packages;
  /** @type {Record<string, Entry>} */
  const present = readJson(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules")) {
      const manifest = readJson(join(root, path, "package.json"));
      return kinds.every((kind) => isSame(manifest[kind], entry[kind]));
    }
    const found = present[path];
    // libc is left to npm: an optional package for another one may be missing.
    if (!found) return Boolean(entry.optional && (!suitsThisMachine(entry) || entry.libc || !entry.os));
    return (
      found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path))
    );
  });
};

/** How to run the npm that started this process, or else the one on PATH. @returns {[string, string[], boolean]} */
const findNpm = () => {
  const { npm_execpath: script = "", npm_node_execpath: node = process.execPath } = process.env;
  const cli = basename(script) === "npx-cli.js" ? join(dirname(script), "npm-cli.js") : script;
  if (basename(cli) === "npm-cli.js" && existsSync(cli)) return [node, [cli], false];
  return ["npm", [], process.platform === "win32"];
};

/**
 * Installs the locked packages unless they are already installed.
 * @param {string} root the repository's folder
 * @returns {boolean} whether it installed
 */
export const ensureInstalled = (root) => {
  if (isInstalled(root)) return false;
  process.stdout.write("Installing the packages (the first time this takes a minute or two)…\n");
  const [command, prefix, shell] = findNpm();
  const options = ["--include=dev", "--include=optional", "--prefer-offline", "--loglevel=error"];
  const done = spawnSync(command, [...prefix, "ci", ...options], {
    cwd: root,
    shell,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (done.error) throw new Error(`npm could not be run (${done.error.message}). Is it on PATH?`);
  if (done.status !== 0) throw new Error(`"npm ci" failed (exit code ${done.status}); npm says why above.`);
  return true;
};
