import { defineConfig } from "@playwright/test";
import tests from "../../playwright.config.ts";

/** Fault cases in a browser; they take too long for `npm test`. */
export default defineConfig({
  ...tests,
  testDir: ".",
  outputDir: "../../test-results",
  globalSetup: "../../scripts/test/browser-setup.ts",
  workers: 1,
  reporter: "list",
  timeout: 900_000,
});
