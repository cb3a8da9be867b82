import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Variable by which the start script makes its parts watch their stdin. */
const internal = "START_PARENT_PIPE";

/** Values of `.default(…)` in `env-schema.ts`, in the notation of an environment. */
function defaultsOf(env: string): Map<string, string> {
  const declarations = env.split(/^ {2}(?=[A-Z][A-Z_]+: )/m).slice(1);
  return new Map(
    declarations.flatMap((declaration): [string, string][] => {
      const [name = ""] = declaration.split(":");
      const [, value] = /\.default\("?([^")]*)"?\)/.exec(declaration.split(/^\}\);/m)[0] ?? "") ?? [];
      return value === undefined ? [] : [[name, value.replaceAll(/(?<=\d)_(?=\d)/g, "")]];
    }),
  );
}

it(".env.example shows the actual defaults", () => {
  const shown = new Map(
    [...read(".env.example").matchAll(/^#([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  const defaults = defaultsOf(read("apps/server/src/env-schema.ts"));
  expect(defaults.size).toBeGreaterThan(10);
  for (const [name, value] of defaults) expect([name, shown.get(name)]).toEqual([name, value]);
});

it(".env.example lists every variable that is read, and no other", () => {
  const declared = namesIn(read("apps/server/src/env-schema.ts"), /^ {2}([A-Z][A-Z_]+): /gm);
  const ofSandbox = namesIn(read("packages/sandbox/src/main.ts"), /\benv\.([A-Z][A-Z_]+)/g);
  const listed = namesIn(read(".env.example"), /^#([A-Z][A-Z_]+)=/gm);
  expect(declared.length).toBeGreaterThan(20);
  const wanted = new Set([...declared, ...ofSandbox].filter((name) => name !== internal));
  expect(listed.sort()).toEqual([...wanted].sort());
});
