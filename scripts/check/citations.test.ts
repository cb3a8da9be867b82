import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

/** Papers that are not in this repository: whoever reads a comment must find what it says right there. */
const citation = /\b(specification|design|facts) §|\((?:R|F|G)-\d+|\bstyle\.md\b/i;

it("no comment sends its reader to a paper that is not here", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.mjs", "*.css", "*.md"], { cwd: root })
    .toString()
    .split("\n")
    .filter((file) => file !== "" && !file.endsWith("citations.test.ts"));
  const citing = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (citation.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(citing).toEqual([]);
});
