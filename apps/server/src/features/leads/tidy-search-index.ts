import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";

/**
 * Settings of a transaction that writes many leads together with how far it came: what a crash of PostgreSQL undoes is undone together and
 * done again. The trigram index is cleaned beside it (below); the transaction itself does so only where that falls far behind.
 */
export const manyLeadsSettings = `set local synchronous_commit = off; set local gin_pending_list_limit = '32MB'`;

/** Cleaning costs a scan of much of the index, so it waits for so many new leads. */
const worthwhile = 1_500;

/**
 * Keeps searches quick while many leads are written: new entries of the trigram index wait in a list that every search reads, and are moved
 * into the index here, on a connection beside the writer's, which would otherwise stop to do it. Call `tidy` when new leads are written and
 * their transaction goes on with something else: leads written meanwhile are indexed one by one, at three times the cost. `tidy` does not
 * wait; `ended` waits for the last run.
 */
export function createSearchTidier(context: { database: Database; log: Pick<Logger, "warn"> }): {
  tidy: (written: number) => void;
  ended: () => Promise<void>;
} {
  let waiting = 0;
  let running: Promise<void> | null = null;
  return {
    tidy(written) {
      waiting += written;
      if (running || waiting < worthwhile) return;
      waiting = 0;
      running = context.database.pool
        .query("select gin_clean_pending_list('leads_search_idx')")
        .then(
          () => undefined,
          // The writers do it themselves, more slowly.
          (err: unknown) => context.log.warn({ err }, "trigram index not cleaned"),
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
