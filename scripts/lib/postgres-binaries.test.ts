import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { linkLibraries } from "./postgres-binaries.ts";

it("creates the shared libraries' links that the package's install script would create, only once", () => {
  const native = join(makeTemporaryFolder(), "native");
  mkdirSync(join(native, "lib"), { recursive: true });
  writeFileSync(join(native, "lib/libpq.so.5.18"), "library");
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  writeFileSync(join(native, "pg-symlinks.json"), JSON.stringify(links));
  linkLibraries(native);
  linkLibraries(native);
  expect(readlinkSync(join(native, "lib/libpq.so.5"))).toBe("libpq.so.5.18");
  expect(readFileSync(join(native, "lib/libpq.so.5"), "utf8")).toBe("library");
});
