import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/environment.ts";
import { PlainError } from "../lib/plain-error.ts";
import { makeFixture } from "./make-fixture.ts";
import { dateChangelog, setVersion } from "./prepare-release.ts";

const git = (...args: string[]): string => execFileSync("git", args, { cwd: root }).toString().trim();

const release = async (): Promise<string> => {
  const [version = ""] = process.argv.slice(2);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const dated = dateChangelog(changelog, { version, day: new Date().toISOString().slice(0, 10) });
  if (git("status", "--porcelain") !== "")
    throw new PlainError("The checkout has changes that are not committed: a release is made of a commit.");
  const tag = `v${version}`;
  if (git("tag", "--list", tag) !== "") throw new PlainError(`The tag ${tag} is there already.`);
  const fixture = `apps/server/src/testing/backups/${version}.backup`;
  try {
    writeFileSync(join(root, "CHANGELOG.md"), dated);
    const files = setVersion(root, version);
    await makeFixture(join(root, fixture));
    git("add", "CHANGELOG.md", fixture, ...files);
    git("commit", "--quiet", "-m", `chore: release ${version}`);
  } catch (error) {
    // Nothing is lost, because the checkout had no uncommitted changes.
    git("restore", "--staged", "--worktree", ".");
    rmSync(join(root, fixture), { force: true });
    throw error;
  }
  git("tag", "--annotate", tag, "-m", `Release ${version}`);
  return `${version} is committed and tagged as ${tag}. Run npm test on it, then: git push --follow-tags`;
};

try {
  process.stdout.write(`${await release()}\n`);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
