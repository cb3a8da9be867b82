import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** How the start script tells its parts to watch their stdin. */
const internal = "START_PARENT_PIPE";

it(".env.example lists every variable that is read, and no other", () => {
  const declared = namesIn(read("apps/server/src/env.ts"), /^ {2}([A-Z][A-Z_]+): /gm);
  const ofSandbox = namesIn(read("packages/sandbox/src/main.ts"), /\benv\.([A-Z][A-Z_]+)/g);
  const listed = namesIn(read(".env.example"), /^#([A-Z][A-Z_]+)=/gm);
  expect(declared.length).toBeGreaterThan(20);
  const wanted = new Set([...declared, ...ofSandbox].filter((name) => name !== internal));
  expect(listed.sort()).toEqual([...wanted].sort());
});
