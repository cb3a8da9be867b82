/** How many checks or tests came out how. */
export type Tally = { passed: number; failed: number; skipped: number };

/** The sum of tallies. */
export const sum = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  skipped: tallies.reduce((total, { skipped }) => total + skipped, 0),
});

/** The line that ends `npm test`. */
export const describeTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

/** A runner that failed without naming a failed test (it crashed, or a file did not load) counts as one failure. */
const countFailure = (tally: Tally, exitCode: number): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; duration?: number | null }[];
  }[];
};

/** Reads Vitest's JSON report (null where it wrote none). A file that did not load is a failure. */
export const tallyVitest = (report: VitestReport | null, exitCode: number): Tally => {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return countFailure(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
};

type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { results: { duration: number }[] }[] }[];
};

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites?: PlaywrightSuite[];
};

/** Reads Playwright's JSON report (null where it wrote none). A flaky test is a failed one. */
export const tallyPlaywright = (report: PlaywrightReport | null, exitCode: number): Tally => {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return countFailure({ passed: expected, failed: unexpected + flaky, skipped }, exitCode);
};

/** A test with its file, and how long it took. */
export type TimedTest = { name: string; milliseconds: number };

/** The tests of Vitest's report, with the times they took. */
export const timeVitest = (report: VitestReport | null): TimedTest[] =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${name}: ${fullName}`,
      milliseconds: duration ?? 0,
    })),
  );

const timeSuite = ({ file, suites = [], specs }: PlaywrightSuite): TimedTest[] => [
  ...suites.flatMap(timeSuite),
  ...specs.map(({ title, tests }) => ({
    name: `${file}: ${title}`,
    milliseconds: tests
      .flatMap(({ results }) => results)
      .reduce((total, { duration }) => total + duration, 0),
  })),
];

/** The tests of Playwright's report, with the times they took. */
export const timePlaywright = (report: PlaywrightReport | null): TimedTest[] =>
  (report?.suites ?? []).flatMap(timeSuite);

/** The twenty slowest of all tests, a line each. */
export const describeSlowest = (tests: TimedTest[]): string =>
  [...tests]
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 20)
    .map(({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`)
    .join("\n");
