import { defineConfig } from "vitest/config";

const node = (name: string, root: string) => ({
  test: {
    name,
    root,
    environment: "node",
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    restoreMocks: true,
  },
});

const server = node("server", "apps/server");
const scripts = node("scripts", "scripts");

export default defineConfig({
  test: {
    projects: [
      node("contract", "packages/contract"),
      node("sandbox", "packages/sandbox"),
      // A database for tests run by hand; `npm test` brings its own.
      { test: { ...server.test, globalSetup: ["../../scripts/test/database-setup.ts"] } },
      { test: { ...scripts.test, testTimeout: 60_000 } },
      "apps/web/vitest.config.ts",
    ],
  },
});
