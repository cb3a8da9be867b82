import { resolve } from "node:path";
import { cancelWithParent } from "../lib/cancel-with-parent.ts";
import { runChecks } from "./checks.ts";

const { failed } = await runChecks({
  root: resolve(import.meta.dirname, "../.."),
  signal: cancelWithParent(),
});
process.exit(failed === 0 ? 0 : 1);
