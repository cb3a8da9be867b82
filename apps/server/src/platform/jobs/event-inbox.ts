import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { tryLockEvents } from "../db/advisory-locks.ts";
import type { Database, Db, Tx } from "../db/client.ts";
import { execute, query, sql } from "../db/query.ts";
import { createEventStore } from "./event-store.ts";

/** A provider's request as received. */
export interface StoredEvent<Payload> {
  id: number;
  kind: string;
  payload: Payload;
  attempts: number;
}

export interface EventInbox<Payload> {
  /**
   * Stores an event and returns its id, or null if its key is already stored: then it is dropped. The response to the provider waits for
   * nothing else.
   */
  store(event: { key: string; kind: string; payload: Payload }): Promise<number | null>;
  /**
   * Processes the stored events, oldest first, until none is due. Any number of processes share them; one works at a time, so that the
   * events of one call or number stay in order and each is processed once.
   */
  work(): Promise<void>;
}

/** After this many failures an event is set aside with its error. */
export const eventAttemptsMax = 20;
/** Events in one transaction at most. */
const batchMax = 50;
/** While another process works, this one retries this often at this interval; after that, its next scheduled run does. */
const otherWorksMs = 25;
const triesMax = 40;

/**
 * The oldest open events that are due, and whether there may be more. One that failed before is returned alone. No row is locked: only the
 * holder of the advisory lock processes them.
 */
async function claimEvents<Payload>(
  tx: Tx,
  source: string,
  limit: number,
): Promise<{ events: StoredEvent<Payload>[]; more: boolean }> {
  const rows = await query<StoredEvent<Payload>>(
    tx,
    sql`select e.id::int, e.kind, e.payload, e.attempts from provider_events e
           where e.source = ${source} and e.processed_at is null
             and e.received_at + case when e.attempts = 0 then interval '0' else least(power(2, e.attempts), 300) * interval '1 s' end
               <= clock_timestamp()
           order by e.received_at, e.id limit ${limit}`,
    { prepared: true },
  );
  const failedBefore = rows.findIndex(({ attempts }) => attempts > 0);
  const events = failedBefore === -1 ? rows : rows.slice(0, Math.max(1, failedBefore));
  return { events, more: rows.length === limit || events.length < rows.length };
}

async function closeEvents(tx: Tx, closed: { id: number; note: string | null }[]): Promise<void> {
  const ids = sql.param(closed.map(({ id }) => id));
  const notes = sql.param(closed.map(({ note }) => note));
  await execute(
    tx,
    sql`update provider_events e set processed_at = clock_timestamp(), attempts = attempts + 1, error = c.note
           from unnest(${ids}::bigint[], ${notes}::text[]) as c(id, note) where e.id = c.id`,
    { prepared: true },
  );
}

/** Stores the error; the event is retried later. */
async function failEvent(db: Db, eventId: number, error: string): Promise<void> {
  await execute(
    db,
    sql`update provider_events set attempts = attempts + 1, error = ${error},
       processed_at = case when attempts + 1 >= ${eventAttemptsMax} then clock_timestamp() end
     where id = ${eventId} and processed_at is null`,
  );
}

/**
 * Events of one source, stored before the response and processed from the table. `apply` runs in the transaction that closes the event, and
 * returns why it had no effect, or null. Several events share a transaction; if one of them fails, all are rolled back and processed again
 * one by one, so that it delays none of the others. `applyAll` receives up to `together` events at once and returns the result of each.
 */
export function createEventInbox<Payload extends object>(
  context: { database: Database; log: Logger },
  options: { source: string } & (
    | { apply: (tx: Tx, event: StoredEvent<Payload>) => Promise<string | null> }
    | { together: number; applyAll: (tx: Tx, events: StoredEvent<Payload>[]) => Promise<(string | null)[]> }
  ),
): EventInbox<Payload> {
  const { database, log } = context;
  const { source } = options;
  const atOnce = "together" in options ? options.together : batchMax;

  async function applyAll(tx: Tx, events: StoredEvent<Payload>[]) {
    const notes = "together" in options ? await options.applyAll(tx, events) : [];
    const closed: { id: number; kind: string; note: string | null }[] = [];
    for (const [index, event] of events.entries()) {
      const note = "together" in options ? (notes[index] ?? null) : await options.apply(tx, event);
      closed.push({ id: event.id, kind: event.kind, note });
    }
    return closed;
  }

  async function fail(event: StoredEvent<Payload>, error: Error): Promise<void> {
    // The query layer's own error contains the values of the query, including phone numbers.
    const err = error.cause ?? error;
    log.error({ err, eventId: event.id, kind: event.kind }, "provider event failed");
    await failEvent(database.db, event.id, String(error.message).slice(0, 500));
  }

  /** Returns how many events were claimed, whether one failed and whether there may be more; null while another process holds the lock. */
  async function workSome(limit: number): Promise<{ taken: number; failed: boolean; more: boolean } | null> {
    let claimed: StoredEvent<Payload>[] = [];
    let more = false;
    try {
      const closed = await database.transaction(async (tx) => {
        claimed = [];
        if (!(await tryLockEvents(tx, source))) return null;
        ({ events: claimed, more } = await claimEvents<Payload>(tx, source, limit));
        if (claimed.length === 0) return [];
        const done = await applyAll(tx, claimed);
        await closeEvents(tx, done);
        return done;
      });
      for (const { id, kind, note } of closed ?? [])
        if (note) log.warn({ eventId: id, kind, note }, "provider event without effect");
      return closed && { taken: closed.length, failed: false, more };
    } catch (error) {
      const [first, ...others] = claimed as StoredEvent<Payload>[];
      if (!first) throw error;
      if (others.length === 0) await fail(first, error as Error);
      return { taken: 1 + others.length, failed: true, more: true };
    }
  }

  return {
    store: createEventStore(database, source),
    async work() {
      let alone = 0;
      let tries = 0;
      for (;;) {
        const worked = await workSome(alone > 0 ? 1 : atOnce);
        if (worked === null) {
          tries += 1;
          if (tries > triesMax) return;
          await sleep(otherWorksMs);
          continue;
        }
        if (!worked.more) return;
        tries = 0;
        alone = worked.failed && worked.taken > 1 ? worked.taken : Math.max(0, alone - 1);
      }
    },
  };
}

/**
 * Runs `work` one at a time; a wake during a run causes another run, `gatherMs` later, so that a burst is processed in few large batches.
 */
export function createWorker(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  { gatherMs = 0 } = {},
) {
  let running: Promise<void> | null = null;
  let again = false;
  const wake = () => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await work();
        if (again && gatherMs > 0) await sleep(gatherMs);
      }
    })()
      .catch(onError)
      .finally(() => {
        running = null;
        if (again) wake();
      });
  };
  return {
    wake,
    /** Waits for the current run. */
    async settled(): Promise<void> {
      await running;
    },
  };
}
