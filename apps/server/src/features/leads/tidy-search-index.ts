import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";

/**
 * Keeps the index of words quick while many leads are written: what they add to it waits in a list that every search walks, and is worked
 * in here, on a connection beside the writer's, which would else stop to do it. `tidy` begins and does not wait; `ended` waits for the last.
 */
export function createSearchTidier(context: { database: Database; log: Pick<Logger, "warn"> }): {
  tidy: () => void;
  ended: () => Promise<void>;
} {
  let running: Promise<void> | null = null;
  return {
    tidy() {
      running ??= context.database.pool
        .query("select gin_clean_pending_list('leads_search_idx')")
        .then(
          () => undefined,
          // The writers do it themselves, more slowly.
          (err: unknown) => context.log.warn({ err }, "index of words not tidied"),
        )
        .finally(() => {
          running = null;
        });
    },
    ended: async () => {
      await running;
    },
  };
}
