import { defineConfig } from "@playwright/test";
import tests from "../../playwright.config.ts";

/** Takes the guide's pictures in a running demo instead of the tests' own portal. */
export default defineConfig({
  ...tests,
  testDir: ".",
  outputDir: "../../test-results",
  testMatch: "*.guide.ts",
  globalSetup: [],
  workers: 1,
  reporter: "list",
  use: {
    ...tests.use,
    baseURL: process.env.PUBLIC_URL ?? "http://localhost:5000",
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    timezoneId: "America/New_York",
  },
});
