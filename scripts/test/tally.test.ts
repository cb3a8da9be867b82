import { describe, expect, it } from "vitest";
import {
  describeFailures,
  describeSlowest,
  describeTally,
  listPlaywright,
  listVitest,
  sum,
  tallyPlaywright,
  tallyVitest,
} from "./tally.ts";

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };

describe("the last line of npm test", () => {
  it("counts over all runners and mentions skipped tests only if there are any", () => {
    const total = sum([tallyVitest(report, 0), tallyPlaywright({ stats }, 0)]);
    expect(describeTally(total)).toBe("7 passed, 0 failed, 1 skipped");
    expect(describeTally({ ...total, skipped: 0 })).toBe("7 passed, 0 failed");
  });

  it("counts a test file that failed to load as a failure", () => {
    const broken = { ...report, testResults: [{ name: "a", status: "failed", assertionResults: [] }] };
    expect(tallyVitest(broken, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("counts a runner that crashed, or wrote no report, as a failure", () => {
    expect(tallyVitest(report, 1).failed).toBe(1);
    expect(tallyVitest(null, 0).failed).toBe(1);
    expect(tallyPlaywright(null, 1).failed).toBe(1);
  });

  it("counts a flaky browser test as failed", () => {
    expect(tallyPlaywright({ stats: { ...stats, flaky: 1 } }, 0)).toEqual({
      passed: 4,
      failed: 1,
      skipped: 0,
    });
  });

  it("lists the slowest tests of all runners first, on request", () => {
    const vitest = {
      ...report,
      testResults: [
        {
          name: "a.test.ts",
          status: "passed",
          assertionResults: [{ fullName: "adds", duration: 1_250 }, { fullName: "waits to be written" }],
        },
      ],
    };
    const specs = [
      { title: "a click", ok: true, tests: [{ results: [{ duration: 900 }, { duration: 900 }] }] },
    ];
    const playwright = {
      stats,
      suites: [{ file: "b.spec.ts", specs: [], suites: [{ file: "b.spec.ts", specs }] }],
    };
    expect(describeSlowest([...listVitest(vitest), ...listPlaywright(playwright)]).split("\n")).toEqual([
      "   1.8 s  b.spec.ts: a click",
      "   1.3 s  a.test.ts: adds",
      "   0.0 s  a.test.ts: waits to be written",
    ]);
    expect(listVitest(null)).toEqual([]);
  });

  it("lists the failed tests at the end, with the start of each error", () => {
    const testResults = [
      { name: "a.test.ts", status: "failed", message: "no such module", assertionResults: [] },
      {
        name: "b.test.ts",
        status: "failed",
        assertionResults: [
          { fullName: "adds", status: "passed", failureMessages: [] },
          {
            fullName: "takes away",
            status: "failed",
            failureMessages: ["\u001b[31mexpected 1\u001b[39m to be 2"],
          },
        ],
      },
    ];
    const result = { duration: 9, error: { message: "was not visible" } };
    const specs = [
      { title: "a click", ok: false, tests: [{ results: [result] }] },
      { title: "a key", ok: true, tests: [{ results: [{ duration: 9 }] }] },
    ];
    const ran = [
      ...listVitest({ ...report, testResults }),
      ...listPlaywright({ stats, suites: [{ file: "c.spec.ts", specs }] }),
    ];
    expect(describeFailures(ran).split("\n").filter(Boolean)).toEqual([
      "✗ a.test.ts",
      "no such module",
      "✗ b.test.ts: takes away",
      "expected 1 to be 2",
      "✗ c.spec.ts: a click",
      "was not visible",
    ]);
    expect(describeFailures([])).toBe("");
  });
});
