import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

type Entry = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

const file = join(import.meta.dirname, "../../package-lock.json");
const packages = (JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> }).packages;

/** Paths where Node would look for a package that one in `from` imports. */
const places = (from: string, name: string): string[] => {
  const steps = from.split("/");
  return steps
    .map((_, index) => steps.slice(0, steps.length - index).join("/"))
    .concat("")
    .map((folder) => `${folder ? `${folder}/` : ""}node_modules/${name}`);
};

// If a registry lacks a package for another platform, npm install omits it, and npm ci then refuses that lock file.
it("package-lock.json contains every package that another one names, those for other platforms too", () => {
  const missing = Object.entries(packages).flatMap(([from, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !places(from, name).some((place) => place in packages))
      .map((name) => `${name}, named by ${from}`),
  );
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});
