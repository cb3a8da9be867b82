import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { dateChangelog, listReleases, setVersion } from "./prepare-release.ts";

const changelog =
  "# Changelog\n\nWords.\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-11-01\n\n- First.\n";

it("the changelog's unreleased section becomes the section of the version, once", () => {
  const dated = dateChangelog(changelog, { version: "0.2.0", day: "2026-11-28" });
  expect(dated).toContain(
    "## [Unreleased]\n\n## [0.2.0] - 2026-11-28\n\n### Added\n\n- A thing.\n\n## [0.1.0]",
  );
  expect(listReleases(dated)).toEqual(["0.2.0", "0.1.0"]);
  expect(() => dateChangelog(dated, { version: "0.3.0", day: "2026-11-28" })).toThrow(
    /nothing under Unreleased/,
  );
  for (const version of ["0.1.0", "0.0.9"])
    expect(() => dateChangelog(changelog, { version, day: "2026-11-28" })).toThrow(/not above 0\.1\.0/);
  expect(() => dateChangelog(changelog, { version: "v2", day: "2026-11-28" })).toThrow(/three numbers/);
  expect(dateChangelog(changelog, { version: "0.10.0", day: "2026-11-28" })).toContain("## [0.10.0]");
});

const read = (path: string) => readFileSync(path, "utf8");
const { workspaces } = JSON.parse(read(join(root, "package.json"))) as { workspaces: string[] };
const manifests = ["package.json", ...workspaces.map((folder) => join(folder, "package.json"))];

it("a version is set in every package, in their dependencies on each other and in the lock file, and nothing else changes", () => {
  const folder = makeTemporaryFolder();
  const files = [...manifests, "package-lock.json"];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const { version } = JSON.parse(read(join(root, "package.json"))) as { version: string };
  expect(setVersion(folder, "98.7.6")).toEqual(files);
  const changed = files.map((file) => read(join(folder, file)));
  expect(changed.join().match(/"98\.7\.6"/g)?.length).toBeGreaterThan(files.length * 2);
  setVersion(folder, version);
  for (const file of files) expect(read(join(folder, file))).toBe(read(join(root, file)));
});

it("all packages have one version, and each release of the changelog has its backup file", () => {
  const versions = manifests.map((file) => JSON.parse(read(join(root, file))).version);
  expect(new Set(versions).size).toBe(1);
  for (const version of listReleases(read(join(root, "CHANGELOG.md")))) {
    const file = join(root, `apps/server/src/testing/backups/${version}.backup`);
    expect([version, existsSync(file)]).toEqual([version, true]);
    expect(statSync(file).size).toBeLessThan(1_000_000);
  }
});
