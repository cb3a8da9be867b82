import { PlainError } from "../lib/plain-error.ts";
import { type Postgres, startPostgres } from "../lib/postgres.ts";

/** The embedded PostgreSQL, restarted whenever it ends by itself. */
export type PostgresSupervisor = { current(): Postgres; stop(): Promise<void> };

const watchMs = 500;

/**
 * Starts the embedded PostgreSQL on the data folder and supervises it.
 * @param moved called if a restart changed its address
 */
export const supervisePostgres = async (options: {
  dataDir: string;
  moved: () => void;
}): Promise<PostgresSupervisor> => {
  let postgres = await startPostgres({ dataDir: options.dataDir });
  let restart: Promise<void> | undefined;

  const startAgain = async (): Promise<void> => {
    process.stdout.write("PostgreSQL was ended; starting it again.\n");
    const { url } = postgres;
    try {
      postgres = await startPostgres({ dataDir: options.dataDir });
      if (postgres.url !== url) options.moved();
    } catch (error) {
      process.stderr.write(`${error instanceof PlainError ? error.message : error}\n`);
    }
    restart = undefined;
  };

  const watch = setInterval(() => {
    if (!restart && !postgres.isRunning()) restart = startAgain();
  }, watchMs);

  return {
    current: () => postgres,
    stop: async () => {
      clearInterval(watch);
      await restart;
      await postgres.stop();
    },
  };
};
