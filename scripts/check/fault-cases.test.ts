import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { faultCases } from "../../bench/faults/cases.ts";
import { root } from "../lib/environment.ts";

it("each test and bench that a fault case names exists", () => {
  const main = readFileSync(join(root, "bench/main.ts"), "utf8");
  const missing = faultCases.flatMap(({ name, tests = [], benches = [] }) => {
    // Without a title it may be a folder, or the start of a file name, as both runners accept it.
    const lost = tests.filter(({ file, title }) => {
      const path = join(root, file);
      // The runners match titles whose placeholders are filled in.
      if (title) return title.includes("%") || !readFileSync(path, "utf8").includes(title);
      return !readdirSync(dirname(path)).some((name) => name.startsWith(basename(path)));
    });
    const names = benches.map((args) => args.join(" ").replace(/ --.*/, "").replace(" ", "/"));
    const unknown = names.filter((bench) => !new RegExp(`^  "?${bench}"?: `, "m").test(main));
    return [...lost.map(({ file, title }) => `${name}: ${file}: ${title}`), ...unknown];
  });
  expect(missing).toEqual([]);
  expect(new Set(faultCases.map(({ name }) => name)).size).toBe(faultCases.length);
});
