import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlainError } from "../lib/plain-error.ts";

interface Manifest {
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const shape = /^(\d+)\.(\d+)\.(\d+)$/;
const heading = /^## \[(\d+\.\d+\.\d+)\]/gm;

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;
const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const isAfter = (version: string, other: string): boolean => {
  const [one, two] = [version, other].map((each) => (shape.exec(each) ?? []).slice(1).map(Number));
  for (let at = 0; at < 3; at += 1) if (one?.[at] !== two?.[at]) return Number(one?.[at]) > Number(two?.[at]);
  return false;
};

/** The versions in the changelog, newest first. */
export const listReleases = (changelog: string): string[] =>
  [...changelog.matchAll(heading)].map(([, version = ""]) => version);

/**
 * The changelog with the unreleased section as the section of `version`, dated `day` (YYYY-MM-DD). Errors: `PlainError` if nothing is
 * unreleased, or if the version is invalid or not higher than the last one.
 */
export const dateChangelog = (
  changelog: string,
  { version, day }: { version: string; day: string },
): string => {
  if (!shape.test(version))
    throw new PlainError(
      `Name the version as three numbers, like 0.2.0: npm run release -- 0.2.0 (not ${version || "nothing"})`,
    );
  const [last] = listReleases(changelog);
  if (last && !isAfter(version, last))
    throw new PlainError(`${version} is not above ${last}, which was released last.`);
  const title = "## [Unreleased]\n";
  const at = changelog.indexOf(title);
  const rest = changelog.slice(at + title.length);
  const unreleased = rest.split(/^## \[/m)[0] ?? "";
  if (at < 0 || !/^- /m.test(unreleased))
    throw new PlainError("CHANGELOG.md has nothing under Unreleased: there is nothing to release.");
  return `${changelog.slice(0, at)}${title}\n## [${version}] - ${day}\n${rest}`;
};

/** Sets the product's version in every package.json, in their dependencies on each other, and in the lock file. Returns the files. */
export const setVersion = (root: string, version: string): string[] => {
  const { workspaces = [] } = readJson<Manifest>(join(root, "package.json"));
  const folders = ["", ...workspaces];
  const set = (manifest: Manifest): void => {
    manifest.version = version;
    for (const needed of [manifest.dependencies, manifest.devDependencies])
      for (const name of Object.keys(needed ?? {}))
        if (needed && name.startsWith("@portal/")) needed[name] = version;
  };
  const files = folders.map((folder) => join(folder, "package.json"));
  for (const file of files) {
    const manifest = readJson<Manifest>(join(root, file));
    set(manifest);
    writeJson(join(root, file), manifest);
  }
  const lock = readJson<Manifest & { packages: Record<string, Manifest> }>(join(root, "package-lock.json"));
  lock.version = version;
  for (const folder of folders) {
    const entry = lock.packages[folder];
    if (entry) set(entry);
  }
  writeJson(join(root, "package-lock.json"), lock);
  return [...files, "package-lock.json"];
};
