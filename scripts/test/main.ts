import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "../check/checks.ts";
import { cancelWithParent } from "../lib/cancel-with-parent.ts";
import { root } from "../lib/environment.ts";
import { runInView } from "../lib/run-step.ts";
import { ensureBuilt } from "../start/build.ts";
import {
  describeFailures,
  describeSlowest,
  describeTally,
  listPlaywright,
  listVitest,
  type RanTest,
  sum,
  type Tally,
  tallyPlaywright,
  tallyVitest,
} from "./tally.ts";
import { startTestPostgres } from "./test-postgres.ts";

const signal = cancelWithParent();
const reports = mkdtempSync(join(tmpdir(), "portal-reports-"));

// All but the first of the servers and sandboxes that tests start as processes read their compiled code from here, which halves the time to
// start.
process.env.NODE_COMPILE_CACHE = join(reports, "compile-cache");

const ran: RanTest[] = [];

const readReport = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null);

const runVitest = async (env: NodeJS.ProcessEnv): Promise<Tally> => {
  const report = join(reports, "vitest.json");
  const code = await runInView({
    args: [
      join(root, "node_modules/vitest/vitest.mjs"),
      ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    cwd: root,
    env,
    signal,
  });
  const read = readReport(report);
  ran.push(...listVitest(read));
  return tallyVitest(read, code);
};

const runPlaywright = async (env: NodeJS.ProcessEnv): Promise<Tally> => {
  const report = join(reports, "playwright.json");
  const code = await runInView({
    args: [join(root, "node_modules/@playwright/test/cli.js"), "test", "--reporter=list,json"],
    cwd: root,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    signal,
  });
  const read = readReport(report);
  ran.push(...listPlaywright(read));
  return tallyPlaywright(read, code);
};

const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };
const oneFailure: Tally = { ...nothing, failed: 1 };

/** A stage that fails as a whole counts as one failure; the next stages still run. */
const stage = async (name: string, run: () => Promise<Tally>): Promise<Tally> => {
  if (signal.aborted) return oneFailure;
  process.stdout.write(`\n── ${name}\n`);
  try {
    return await run();
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    return oneFailure;
  }
};

const checks = await stage("Checks", () => runChecks({ root, signal }));

let postgres: Awaited<ReturnType<typeof startTestPostgres>> | undefined;
const units = await stage("Unit and API tests", async () => {
  const [started] = await Promise.all([
    startTestPostgres(),
    ensureBuilt({ root, target: "server", signal }),
    // For the browser tests: if this fails they try it again and report the reason.
    ensureBuilt({ root, target: "web", signal }).catch(() => undefined),
  ]);
  postgres = started;
  const TEST_SERVER_ENTRY = join(root, "apps/server/dist/main.js");
  return runVitest({ TEST_DATABASE_URL: postgres.url, TEST_SERVER_ENTRY });
});
const hasBrowserTests = globSync("e2e/**/*.spec.ts", { cwd: root }).length > 0;
const browser = hasBrowserTests
  ? await stage("Browser tests", () => runPlaywright({ TEST_DATABASE_URL: postgres?.url }))
  : nothing;
await postgres?.stop();
rmSync(reports, { recursive: true, force: true });

const ranNone = units.passed + units.failed + browser.passed + browser.failed === 0;
const total = sum([checks, units, browser, ranNone ? oneFailure : nothing]);
if (process.argv.includes("--slowest")) process.stdout.write(`\nSlowest tests\n${describeSlowest(ran)}\n`);
const failures = describeFailures(ran);
if (failures) process.stdout.write(`\nFailed tests\n${failures}`);
process.stdout.write(`\n${describeTally(total)}\n`);
process.exit(total.failed > 0 ? 1 : 0);
