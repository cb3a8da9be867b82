/** Each answers whether its goal was met. */
const benches: Record<string, () => Promise<{ run: () => Promise<boolean> }>> = {
  dialer: () => import("./dialer.ts"),
  "faults/calls": () => import("./faults/calls.ts"),
  history: () => import("./history.ts"),
  import: () => import("./imports.ts"),
  sync: () => import("./sync.ts"),
  "faults/dialer": () => import("./faults/dialer.ts"),
  "lead-webhooks": () => import("./lead-webhooks.ts"),
  webhooks: () => import("./webhooks.ts"),
};

const name = process.argv.slice(2).join("/");
const load = benches[name];
if (load) {
  const { run } = await load();
  process.exitCode = (await run()) ? 0 : 1;
} else {
  process.stderr.write(
    `There is no bench ${name || "without a name"}: ${Object.keys(benches).join(", ")}.\n`,
  );
  process.exitCode = 1;
}
