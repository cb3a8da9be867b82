import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { runQuietly, type Step } from "../lib/run-step.ts";
import type { Tally } from "../test/tally.ts";

const workspaces = ["packages/contract", "packages/sandbox", "packages/demo", "apps/server", "apps/web"];
const typed = [...workspaces, "scripts", "e2e", "bench"];
const cruised = ["packages", "apps", "scripts", "e2e", "bench", "vitest.config.ts", "playwright.config.ts"];
/** Tests that check names and texts of the source, and need neither database nor browser. */
const houseRules = [
  "words",
  "citations",
  "raw-sql",
  "feature-files",
  "web-feature-files",
  "migrations",
  "licences",
  "secrets",
  "images",
];

const listSteps = (root: string): Step[] => {
  const bin = (path: string): string => join(root, "node_modules", path);
  const step = (name: string, args: string[]): Step => ({ name, args, cwd: root });
  return [
    step("format and lint", [bin("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]),
    ...typed
      .filter((folder) => globSync(`${folder}/{tsconfig.json,**/*.ts}`, { cwd: root }).length > 1)
      // On one thread: several threads would each check the shared files, which takes twice the processor time and is no faster beside
      // another step.
      .map((folder) =>
        step(`types of ${folder}`, [
          bin("typescript/bin/tsc"),
          ...["-p", folder, "--singleThreaded", "--incremental"],
          ...["--tsBuildInfoFile", bin(`.cache/types/${folder.replaceAll("/", "-")}.tsbuildinfo`)],
        ]),
      ),
    step("import rules", [
      bin("dependency-cruiser/bin/dependency-cruiser.mjs"),
      ...["--config", ".dependency-cruiser.mjs"],
      ...cruised.filter((path) => existsSync(join(root, path))),
    ]),
    step("nothing unused", [bin("knip/bin/knip.js"), "--no-progress"]),
    step("house rules", [
      bin("vitest/vitest.mjs"),
      ...["run", "--project", "scripts", "--reporter", "dot"],
      ...houseRules.map((name) => `scripts/check/${name}.test.ts`),
    ]),
  ];
};

/** Runs format, lint, types, import rules, the search for unused code and the checks of house rules, two at a time. */
export const runChecks = async ({ root, signal }: { root: string; signal: AbortSignal }): Promise<Tally> => {
  const waiting = listSteps(root);
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (await runQuietly({ ...step, signal })) tally.passed += 1;
      else tally.failed += 1;
    }
  };
  await Promise.all([work(), work()]);
  return tally;
};
