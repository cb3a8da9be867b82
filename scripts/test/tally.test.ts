import { describe, expect, it } from "vitest";
import {
  describeSlowest,
  describeTally,
  sum,
  tallyPlaywright,
  tallyVitest,
  timePlaywright,
  timeVitest,
} from "./tally.ts";

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };

describe("the last line of npm test", () => {
  it("counts over all runners and names skipped tests only where there are any", () => {
    const total = sum([tallyVitest(report, 0), tallyPlaywright({ stats }, 0)]);
    expect(describeTally(total)).toBe("7 passed, 0 failed, 1 skipped");
    expect(describeTally({ ...total, skipped: 0 })).toBe("7 passed, 0 failed");
  });

  it("counts a test file that did not load as a failure", () => {
    const broken = { ...report, testResults: [{ name: "a", status: "failed", assertionResults: [] }] };
    expect(tallyVitest(broken, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("counts a runner that crashed, or left no report, as a failure", () => {
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

  it("names the slowest of all runners first, when it is asked to", () => {
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
    const specs = [{ title: "a click", tests: [{ results: [{ duration: 900 }, { duration: 900 }] }] }];
    const playwright = {
      stats,
      suites: [{ file: "b.spec.ts", specs: [], suites: [{ file: "b.spec.ts", specs }] }],
    };
    expect(describeSlowest([...timeVitest(vitest), ...timePlaywright(playwright)]).split("\n")).toEqual([
      "   1.8 s  b.spec.ts: a click",
      "   1.3 s  a.test.ts: adds",
      "   0.0 s  a.test.ts: waits to be written",
    ]);
    expect(timeVitest(null)).toEqual([]);
  });
});
