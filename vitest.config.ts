import { join } from "node:path";
import { defineConfig } from "vitest/config";

const node = (name: string, root: string) => ({
  name,
  root,
  environment: "node" as const,
  include: ["**/*.test.ts"],
  exclude: ["**/node_modules/**"],
  restoreMocks: true,
});

// A database for tests run by hand; `npm test` brings its own.
const globalSetup = [join(import.meta.dirname, "scripts/test/database-setup.ts")];

export default defineConfig({
  test: {
    projects: [
      { test: node("contract", "packages/contract") },
      { test: node("sandbox", "packages/sandbox") },
      { test: { ...node("server", "apps/server"), globalSetup } },
      // They start real processes.
      { test: { ...node("scripts", "scripts"), testTimeout: 60_000 } },
      "apps/web/vitest.config.ts",
    ],
  },
});
