import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";

/**
 * Settings for a transaction that writes many leads together with its progress. A crash of PostgreSQL may undo both together, so the work
 * is repeated from there. The larger pending list leaves cleaning the trigram index to `createSearchTidier` unless that falls far behind.
 */
export const manyLeadsSettings = `set local synchronous_commit = off; set local gin_pending_list_limit = '32MB'`;

/** New leads before the index is cleaned, as cleaning scans much of it. */
const worthwhile = 1_500;

/**
 * Keeps searches fast while many leads are written. New entries of the trigram index collect in a pending list that every search reads;
 * this moves them into the index on another connection, so that the writer does not have to. Call `tidy` after new leads are written and
 * while their transaction does something else: leads written during the cleaning are indexed one by one, at three times the cost. `tidy`
 * does not wait; `ended` waits for the last run.
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
          // Without it the writers clean the list themselves, more slowly.
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
