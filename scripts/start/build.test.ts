import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { ensureBuilt, hashSources } from "./build.ts";

const makeRoot = () => {
  const root = makeTemporaryFolder();
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write("apps/web/src/main.tsx", "1");
  write("packages/contract/src/limits.ts", "1");
  return { root, write };
};

it.each([
  "apps/web/src/main.tsx",
  "apps/web/src/new.tsx",
  "packages/contract/src/limits.ts",
  "package-lock.json",
])("detects a change of %s", (path) => {
  const { root, write } = makeRoot();
  const before = hashSources(root, "web");
  write(path, "2");
  expect(hashSources(root, "web")).not.toBe(before);
});

it.each([
  "apps/web/src/main.test.tsx",
  "apps/web/dist/index.html",
  "apps/web/node_modules/a.js",
  "apps/server/src/app.ts",
])("ignores %s", (path) => {
  const { root, write } = makeRoot();
  const before = hashSources(root, "web");
  write(path, "2");
  expect(hashSources(root, "web")).toBe(before);
});

it("builds nothing if the last build had the same sources", async () => {
  const { root, write } = makeRoot();
  write("apps/web/dist/.build-hash", hashSources(root, "web"));
  expect(await ensureBuilt({ root, target: "web" })).toBe(false);
});
