import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Read by the start script and the sandbox, not by the portal. */
const notOfThePortal = ["DATA_DIR", "SANDBOX_SPEED"];

it(".env.example lists every variable that is read, and no other", () => {
  const declared = namesIn(read("apps/server/src/env.ts"), /^ {2}([A-Z][A-Z_]+): /gm);
  const listed = namesIn(read(".env.example"), /^#([A-Z][A-Z_]+)=/gm);
  expect(declared.length).toBeGreaterThan(20);
  expect(listed.sort()).toEqual([...declared, ...notOfThePortal].sort());
});
