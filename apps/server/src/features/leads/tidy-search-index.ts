import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";

/**
 * Settings of a transaction that writes many leads and the place where it goes on: what a crash of PostgreSQL takes back, it takes back
 * together, and it is worked again. The index of words is tidied beside it (below); the transaction itself does so only where that
 * falls far behind.
 */
export const manyLeadsSettings = `set local synchronous_commit = off; set local gin_pending_list_limit = '32MB'`;

/** Leads written since the last time that make it worth while: fewer, and each pays for a walk through much of the index. */
const worthwhile = 1_500;

/**
 * Keeps the index of words quick while many leads are written: what they add to it waits in a list that every search walks, and is worked
 * in here, on a connection beside the writer's, which would else stop to do it. To be told when new leads are written and while their
 * transaction does something else: leads written meanwhile are worked in one by one, at three times the work. `tidy` begins and does not
 * wait; `ended` waits for the last.
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
