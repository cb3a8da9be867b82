import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const node = (name: string, root: string) => ({
  name,
  root,
  environment: "node" as const,
  include: ["**/*.test.ts"],
  exclude: ["**/node_modules/**"],
  restoreMocks: true,
  // Files share a worker's modules, which take longer to load than most files to run: no test may change a module.
  isolate: false,
  // No test is timed: this only ends one that hangs, even on the slowest machine.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 45_000 } },
});

// A database for tests that are run directly; `npm test` provides its own.
const globalSetup = [join(import.meta.dirname, "scripts/test/database-setup.ts")];

export default defineConfig({
  test: {
    // Most tests wait for a server, a database or a provider, so more files than cores may run at once.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      { test: node("contract", "packages/contract") },
      { test: node("sandbox", "packages/sandbox") },
      { test: { ...node("demo", "packages/demo"), globalSetup } },
      { test: { ...node("server", "apps/server"), globalSetup } },
      { test: { ...node("scripts", "scripts"), globalSetup } },
      "apps/web/vitest.config.ts",
    ],
  },
});
