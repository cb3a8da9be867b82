import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runChecks } from "../check/checks.ts";
import { cancelWithParent } from "../lib/cancel-with-parent.ts";
import { runInView } from "../lib/run-step.ts";
import { ensureWebBuilt } from "../start/web-build.ts";
import { describeTally, sum, type Tally, tallyPlaywright, tallyVitest } from "./tally.ts";
import { startTestPostgres } from "./test-postgres.ts";

const root = resolve(import.meta.dirname, "../..");
const signal = cancelWithParent();
const reports = mkdtempSync(join(tmpdir(), "portal-reports-"));

const readReport = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null);

const runVitest = async (env: NodeJS.ProcessEnv): Promise<Tally> => {
  const report = join(reports, "vitest.json");
  const code = await runInView({
    name: "vitest",
    args: [
      join(root, "node_modules/vitest/vitest.mjs"),
      ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    cwd: root,
    env,
    signal,
  });
  return tallyVitest(readReport(report), code);
};

const runPlaywright = async (env: NodeJS.ProcessEnv): Promise<Tally> => {
  const report = join(reports, "playwright.json");
  const code = await runInView({
    name: "playwright",
    args: [join(root, "node_modules/@playwright/test/cli.js"), "test", "--reporter=list,json"],
    cwd: root,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    signal,
  });
  return tallyPlaywright(readReport(report), code);
};

/** A stage that fails as a whole is one failure; the stages after it still run. */
const stage = async (name: string, run: () => Promise<Tally>): Promise<Tally> => {
  if (signal.aborted) return { passed: 0, failed: 1, skipped: 0 };
  process.stdout.write(`\n── ${name}\n`);
  try {
    return await run();
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const runTests = async (): Promise<Tally[]> => {
  const postgres = await startTestPostgres();
  const env = { TEST_DATABASE_URL: postgres.url };
  try {
    const tallies = [await stage("Unit and API tests", () => runVitest(env))];
    if (globSync("e2e/**/*.spec.ts", { cwd: root }).length > 0) {
      const browser = async (): Promise<Tally> => {
        await ensureWebBuilt({ root, signal });
        return runPlaywright(env);
      };
      tallies.push(await stage("Browser tests", browser));
    }
    return tallies;
  } finally {
    await postgres.stop();
  }
};

const checks = await stage("Checks", () => runChecks({ root, signal }));
const tests = await stage("Database", async () => sum(await runTests()));
rmSync(reports, { recursive: true, force: true });
const total = sum([checks, tests]);
const ranNone = tests.passed + tests.failed === 0;
process.stdout.write(`\n${describeTally(ranNone ? { ...total, failed: total.failed + 1 } : total)}\n`);
process.exit(total.failed > 0 || ranNone ? 1 : 0);
