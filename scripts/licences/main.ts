import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/environment.ts";
import { listLicences } from "./list-licences.ts";

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
writeFileSync(join(root, "docs/licences.md"), listLicences(packages));
