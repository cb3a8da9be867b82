import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listLicences } from "../licences/list-licences.ts";

const root = join(import.meta.dirname, "../..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

it("docs/licences.md lists the licence of every package in the lock file (npm run licences writes it)", () => {
  expect(readFileSync(join(root, "docs/licences.md"), "utf8")).toBe(listLicences(packages));
});

it.each([undefined, "UNKNOWN", "UNLICENSED", "SEE LICENSE IN LICENSE.md"])(
  "refuses a package whose licence is %s",
  (license) => {
    const entry = { version: "1.0.0", ...(license && { license }) };
    expect(() => listLicences({ "node_modules/odd": entry })).toThrow(/odd/);
  },
);
