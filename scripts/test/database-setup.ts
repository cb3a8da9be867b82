import { startTestPostgres } from "./test-postgres.ts";

/**
 * Provides tests with a database unless TEST_DATABASE_URL names one.
 * @returns a function that the runner calls at the end.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const postgres = await startTestPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return postgres.stop;
}
