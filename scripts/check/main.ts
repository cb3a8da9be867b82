import { cancelWithParent } from "../lib/cancel-with-parent.ts";
import { root } from "../lib/environment.ts";
import { runChecks } from "./checks.ts";

const { failed } = await runChecks({
  root,
  signal: cancelWithParent(),
});
process.exit(failed === 0 ? 0 : 1);
