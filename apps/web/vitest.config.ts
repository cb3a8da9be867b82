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
    // Files share a worker's page and modules, which take longer to load than most files to run: no test may change a module.
    isolate: false,
    // These tests only use the processor: they run after the other projects, with one worker for each core.
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 1 },
    // No test is timed: this only ends one that hangs, even on the slowest machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
  },
});
