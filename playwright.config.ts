import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./scripts/lib/chromium.ts";

const { executablePath, env } = findChromium();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./scripts/test/browser-setup.ts",
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: false,
  workers: 2,
  // No test is timed: these only end one that hangs, even on the slowest machine.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  retries: 0,
  use: {
    ...devices["Desktop Chrome"],
    locale: "en-US",
    // Requests handled by a service worker cannot be delayed or aborted by tests; only e2e/app.spec.ts tests the worker.
    serviceWorkers: "block",
    screenshot: "only-on-failure",
    // Recording slows every test down by a quarter, so it is off unless TRACE=1.
    trace: process.env.TRACE === "1" ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath,
      env: { ...(process.env as Record<string, string>), ...env },
      args: [
        // Chromium's own sandbox does not run as root.
        ...(isRoot ? ["--no-sandbox"] : []),
        ...["--disable-gpu", "--no-first-run", "--disable-background-networking"],
        ...["--disable-component-update", "--disable-sync"],
      ],
    },
  },
});
