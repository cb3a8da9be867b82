import { root } from "../lib/environment.ts";
import { ensureWebBuilt } from "../start/web-build.ts";
import setUpDatabase from "./database-setup.ts";

/**
 * Gives the browser tests a built web and a database.
 * @returns what Playwright calls at the end.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await ensureWebBuilt({ root });
  return setUpDatabase();
}
