import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faultCases } from "../../bench/faults/cases.ts";
import { root } from "../lib/environment.ts";

it("each test that a fault's case names is there, by its file and title", () => {
  const missing = faultCases.flatMap(({ name, tests = [] }) =>
    tests
      .filter(({ file, title = "" }) => {
        const path = join(root, file);
        return !existsSync(path) || !readFileSync(path, "utf8").includes(title);
      })
      .map(({ file, title }) => `${name}: ${file}: ${title}`),
  );
  expect(missing).toEqual([]);
  expect(new Set(faultCases.map(({ name }) => name)).size).toBe(faultCases.length);
});
