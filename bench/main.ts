import { root } from "../scripts/lib/environment.ts";
import { ensureBuilt } from "../scripts/start/build.ts";
import { findCase, listCases, runCase } from "./faults/run-case.ts";

/** Each returns whether its goal was met. */
const benches: Record<string, () => Promise<{ run: (options: string[]) => Promise<boolean> }>> = {
  desk: () => import("./desk.ts"),
  dialer: () => import("./dialer.ts"),
  "faults/backup": () => import("./faults/backup.ts"),
  "faults/calls": () => import("./faults/calls.ts"),
  "faults/clocks": () => import("./faults/clocks.ts"),
  "faults/failover": () => import("./faults/failover.ts"),
  "faults/kills": () => import("./faults/kills.ts"),
  "faults/soak": () => import("./faults/soak.ts"),
  "faults/import-killed": () => import("./faults/import-killed.ts"),
  "faults/slow": () => import("./faults/slow.ts"),
  "faults/sync": () => import("./faults/sync.ts"),
  "faults/webhooks": () => import("./faults/webhooks.ts"),
  "first-lead": () => import("./first-lead.ts"),
  lists: () => import("./lists.ts"),
  import: () => import("./imports.ts"),
  sync: () => import("./sync.ts"),
  "faults/dialer": () => import("./faults/dialer.ts"),
  "faults/line": () => import("./faults/line.ts"),
  line: () => import("./line.ts"),
  scale: () => import("./scale.ts"),
  "lead-webhooks": () => import("./lead-webhooks.ts"),
  webhooks: () => import("./webhooks.ts"),
};

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith("--"));
const names = firstOption === -1 ? args : args.slice(0, firstOption);
const name = names.join("/") || "scale";
const load = benches[name];
if (load) {
  await ensureBuilt({ root, target: "server" });
  const { run } = await load();
  process.exitCode = (await run(args.slice(names.length))) ? 0 : 1;
} else if (name === "faults" || name === "faults/list") {
  process.stdout.write(listCases());
} else if (names[0] === "faults" && findCase(names[1] ?? "")) {
  process.exitCode = (await runCase(names[1] ?? "")) ? 0 : 1;
} else {
  process.stderr.write(`There is no bench ${name}: ${Object.keys(benches).join(", ")}.\n`);
  process.exitCode = 1;
}
