import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { isInstalled } from "./install.mjs";

const elsewhere = process.platform === "linux" ? "darwin" : "linux";
const one = { version: "1.0.0", integrity: "sha512-one" };
const locked = {
  "": { dependencies: { one: "1.0.0" } },
  "apps/web": { devDependencies: { two: "2.0.0" } },
  "node_modules/one": one,
  "node_modules/elsewhere": { version: "1.0.0", optional: true, os: elsewhere },
};

const makeRoot = (changes: { present?: object; manifest?: object; locked?: object } = {}): string => {
  const root = makeTemporaryFolder();
  const write = (path: string, content: object): void =>
    writeFileSync(join(root, path), JSON.stringify(content));
  mkdirSync(join(root, "node_modules/one"), { recursive: true });
  mkdirSync(join(root, "apps/web"), { recursive: true });
  write("package.json", changes.manifest ?? { dependencies: { one: "1.0.0" } });
  write("apps/web/package.json", { devDependencies: { two: "2.0.0" } });
  write("package-lock.json", { packages: changes.locked ?? locked });
  write("node_modules/.package-lock.json", { packages: changes.present ?? { "node_modules/one": one } });
  return root;
};

describe("isInstalled", () => {
  it("accepts what npm installed for this machine, without packages for other platforms", () => {
    expect(isInstalled(makeRoot())).toBe(true);
  });

  it("refuses a clone without packages", () => {
    expect(isInstalled(makeTemporaryFolder())).toBe(false);
  });

  it("refuses a package that is missing, of another version, or of another content", () => {
    expect(isInstalled(makeRoot({ present: {} }))).toBe(false);
    expect(isInstalled(makeRoot({ present: { "node_modules/one": { ...one, version: "1.0.1" } } }))).toBe(
      false,
    );
    expect(
      isInstalled(makeRoot({ present: { "node_modules/one": { ...one, integrity: "sha512-x" } } })),
    ).toBe(false);
  });

  it("refuses a package whose folder was removed", () => {
    const gone = { "node_modules/gone": one };
    expect(
      isInstalled(
        makeRoot({ locked: { ...locked, ...gone }, present: { "node_modules/one": one, ...gone } }),
      ),
    ).toBe(false);
  });

  it("refuses a missing optional package for this machine", () => {
    const here = { version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] };
    expect(isInstalled(makeRoot({ locked: { ...locked, "node_modules/here": here } }))).toBe(false);
  });

  it("refuses a manifest that requires more than the lock file contains", () => {
    expect(isInstalled(makeRoot({ manifest: { dependencies: { one: "1.0.0", more: "1.0.0" } } }))).toBe(
      false,
    );
  });
});
