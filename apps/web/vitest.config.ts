import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "web",
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/polyfills.ts", "src/testing/setup.ts"],
    restoreMocks: true,
    css: false,
    // Files share a worker's page and modules, which take longer to load than most files to run: no test changes a module.
    isolate: false,
    // These wait for nobody but the processor: after the other projects, one worker to a core.
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 1 },
    // No test is timed: this only ends one that hangs, on the slowest machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
  },
});
