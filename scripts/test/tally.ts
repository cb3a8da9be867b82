/** Numbers of checks or tests by result. */
export type Tally = { passed: number; failed: number; skipped: number };

/** The sum of tallies. */
export const sum = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  skipped: tallies.reduce((total, { skipped }) => total + skipped, 0),
});

/** The last line of `npm test`. */
export const describeTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

/** A runner that failed without a failed test (it crashed, or a file did not load) counts as one failure. */
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
    message?: string;
    assertionResults: {
      fullName: string;
      status?: string;
      duration?: number | null;
      failureMessages?: string[] | null;
    }[];
  }[];
};

/** Reads Vitest's JSON report (null if it wrote none). A file that did not load is a failure. */
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
  specs: {
    title: string;
    ok: boolean;
    tests: { results: { duration: number; error?: { message?: string } }[] }[];
  }[];
};

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites?: PlaywrightSuite[];
};

/** Reads Playwright's JSON report (null if it wrote none). A flaky test is a failed one. */
export const tallyPlaywright = (report: PlaywrightReport | null, exitCode: number): Tally => {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return countFailure({ passed: expected, failed: unexpected + flaky, skipped }, exitCode);
};

/** A test with its file, duration and error. */
export type RanTest = { name: string; milliseconds: number; failure?: string };

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** The first lines of an error: expected and received values. */
const cutMessage = (message = "") =>
  (message || "no message").replaceAll(colours, "").split("\n").slice(0, 8).join("\n").slice(0, 1_200);

/** The tests of Vitest's report; a file that did not load is a failed test. */
export const listVitest = (report: VitestReport | null): RanTest[] =>
  (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) =>
    status === "failed" && assertionResults.length === 0
      ? [{ name, milliseconds: 0, failure: cutMessage(message) }]
      : assertionResults.map(({ fullName, duration, status, failureMessages }) => ({
          name: `${name}: ${fullName}`,
          milliseconds: duration ?? 0,
          ...(status === "failed" && { failure: cutMessage(failureMessages?.[0]) }),
        })),
  );

const listSuite = ({ file, suites = [], specs }: PlaywrightSuite): RanTest[] => [
  ...suites.flatMap(listSuite),
  ...specs.map(({ title, ok, tests }) => {
    const results = tests.flatMap(({ results }) => results);
    return {
      name: `${file}: ${title}`,
      milliseconds: results.reduce((total, { duration }) => total + duration, 0),
      ...(!ok && { failure: cutMessage(results.find(({ error }) => error)?.error?.message) }),
    };
  }),
];

/** The tests of Playwright's report. */
export const listPlaywright = (report: PlaywrightReport | null): RanTest[] =>
  (report?.suites ?? []).flatMap(listSuite);

/** The twenty slowest tests, one line each. */
export const describeSlowest = (tests: RanTest[]): string =>
  [...tests]
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 20)
    .map(({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${name}`)
    .join("\n");

/** The failed tests with the start of each message, so that the end of the output is enough to know what to look at. */
export const describeFailures = (tests: RanTest[]): string =>
  tests.flatMap(({ name, failure }) => (failure ? [`✗ ${name}\n${failure}\n`] : [])).join("\n");
