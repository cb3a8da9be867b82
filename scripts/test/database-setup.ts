import { startTestPostgres } from "./test-postgres.ts";

/**
 * Gives tests a database where nobody named one in TEST_DATABASE_URL.
 * @returns what the runner calls at the end.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const postgres = await startTestPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return postgres.stop;
}
