import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

/** A committed checkout whose tests are `source`, as a worktree of its repository; `.ci/run` runs them there. */
const makeCheckout = (source: string) => {
  const folder = makeTemporaryFolder();
  const repository = join(folder, "repository");
  const temporary = join(folder, "tmp");
  mkdirSync(join(repository, ".ci"), { recursive: true });
  mkdirSync(temporary);
  cpSync(join(root, ".ci/run"), join(repository, ".ci/run"));
  writeFileSync(join(repository, "package.json"), JSON.stringify({ scripts: { test: "node test.mjs" } }));
  writeFileSync(join(repository, "test.mjs"), source);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  git("init");
  git("add", ".");
  git("commit", "-m", "A checkout");
  git("worktree", "add", "--detach", join(folder, "worktree"));
  const child = spawn("bash", [join(folder, "worktree/.ci/run")], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (part: Buffer) => {
    output += part.toString();
  });
  return {
    child,
    output: () => output,
    leftOver: () => readdirSync(temporary).filter((name) => name.startsWith("portal")),
  };
};

it.runIf(process.platform !== "win32")(
  "runs the tests in a folder with a space, exits with their code, and removes the folder",
  async () => {
    const run = makeCheckout(
      "console.log(process.cwd()); console.log('2 passed, 1 failed'); process.exit(3);",
    );
    const [code] = await once(run.child, "close");
    expect(code).toBe(3);
    expect(run.output()).toMatch(/portal ci run \w+\/portal\n2 passed, 1 failed\n$/);
    expect(run.leftOver()).toEqual([]);
  },
);

it.runIf(process.platform !== "win32")("removes the folder when it is terminated", async () => {
  const run = makeCheckout("console.log('begun'); setInterval(() => {}, 1000);");
  while (!run.output().includes("begun")) await once(run.child.stdout, "data");
  run.child.kill("SIGTERM");
  const [code] = await once(run.child, "close");
  expect(code).not.toBe(0);
  expect(run.leftOver()).toEqual([]);
});
