import { root } from "../lib/environment.ts";
import { ensureBuilt } from "../start/build.ts";
import setUpDatabase from "./database-setup.ts";

/**
 * Provides the browser tests with a built web, a built server and a database.
 * @returns a function that Playwright calls at the end.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  for (const target of ["web", "server"] as const) await ensureBuilt({ root, target });
  return setUpDatabase();
}
