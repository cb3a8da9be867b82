import type { Logger } from "pino";
import type { Database, Db, Tx } from "../db/client.ts";

/** A provider's request as it came. */
export interface StoredEvent<Payload> {
  id: number;
  kind: string;
  payload: Payload;
  attempts: number;
}

export interface EventInbox<Payload> {
  /**
   * Stores an event and answers its id, null where its key came before: then it is dropped. The answer to the provider needs no more
   * than this one insert.
   */
  store(event: { key: string; kind: string; payload: Payload }): Promise<number | null>;
  /** Works the stored events, oldest first, until none is due. Any number of processes share them; each is worked once. */
  work(): Promise<void>;
}

/** An event that fails so often is put aside with its error. */
export const eventAttemptsMax = 20;

/** JSON as PostgreSQL keeps it: no U+0000, no lone surrogate. */
function toJson(payload: object): string {
  return JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\u0000", "").toWellFormed() : value,
  );
}

/**
 * The oldest open events whose time has come, held for this transaction; other workers take the next. Working does not wait
 * for the disk: what a crash of PostgreSQL takes back, effect and closing together, is worked again from the stored event.
 */
async function claimEvents<Payload>(tx: Tx, source: string, limit: number): Promise<StoredEvent<Payload>[]> {
  const { rows } = await tx.$client.query<StoredEvent<Payload>>(
    `select id::int, kind, payload, attempts, set_config('synchronous_commit', 'off', true) from provider_events
     where source = $1 and processed_at is null
       and received_at + case when attempts = 0 then interval '0' else least(power(2, attempts), 300) * interval '1 s' end
         <= clock_timestamp()
     order by received_at, id limit $2 for update skip locked`,
    [source, limit],
  );
  return rows;
}

async function closeEvents(tx: Tx, eventIds: number[], notes: (string | null)[]): Promise<void> {
  await tx.$client.query(
    `update provider_events e set processed_at = clock_timestamp(), attempts = e.attempts + 1, error = c.note
     from unnest($1::bigint[], $2::text[]) as c(id, note) where e.id = c.id`,
    [eventIds, notes],
  );
}

/** Keeps the error; the event is tried again later. */
async function failEvent(db: Db, eventId: number, error: string): Promise<void> {
  await db.$client.query(
    `update provider_events set attempts = attempts + 1, error = $2,
       processed_at = case when attempts + 1 >= $3 then clock_timestamp() end
     where id = $1 and processed_at is null`,
    [eventId, error, eventAttemptsMax],
  );
}

/**
 * Events of one source, kept before they are answered and worked from the table. `apply` runs in the transaction that
 * closes the events, and answers for each why it had no effect, or null. Several are handed over at once where `together` says so;
 * if that fails each is worked by itself, so that one bad event harms no other.
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
  const limit = "together" in options ? options.together : 1;

  async function applyAll(tx: Tx, events: StoredEvent<Payload>[]): Promise<(string | null)[]> {
    if ("together" in options) return options.applyAll(tx, events);
    const notes: (string | null)[] = [];
    for (const event of events) notes.push(await options.apply(tx, event));
    return notes;
  }

  /** Works up to `count` events; answers how many, 0 where none is left for this worker. */
  async function work(count: number): Promise<number> {
    let claimed: StoredEvent<Payload>[] = [];
    try {
      await database.transaction(async (tx) => {
        claimed = await claimEvents<Payload>(tx, source, count);
        if (claimed.length === 0) return;
        const notes = await applyAll(tx, claimed);
        for (const [index, { id: eventId, kind }] of claimed.entries())
          if (notes[index]) log.warn({ eventId, kind, note: notes[index] }, "provider event without effect");
        await closeEvents(
          tx,
          claimed.map(({ id }) => id),
          notes,
        );
      });
    } catch (error) {
      const [first] = claimed;
      if (!first) throw error;
      if (claimed.length > 1) for (const _event of claimed) await work(1);
      else {
        // The query layer's own error carries the values of the query, numbers among them.
        const err = (error as Error).cause ?? error;
        log.error({ err, eventId: first.id, kind: first.kind }, "provider event failed");
        await failEvent(database.db, first.id, String((error as Error).message).slice(0, 500));
      }
    }
    return claimed.length;
  }

  return {
    async store({ key, kind, payload }) {
      const { rows } = await database.db.$client.query<{ id: number }>(
        `insert into provider_events (source, event_key, kind, payload) values ($1, $2, $3, $4)
         on conflict (source, event_key) do nothing returning id::int`,
        [source, key.replaceAll("\u0000", "").slice(0, 500), kind, toJson(payload)],
      );
      return rows[0]?.id ?? null;
    },
    async work() {
      while ((await work(limit)) > 0) {
        // The next ones.
      }
    },
  };
}

/** Runs `work` one at a time; a nudge that comes meanwhile causes another run. */
export function createNudge(work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let again = false;
  const nudge = () => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await work();
      }
    })()
      .catch(onError)
      .finally(() => {
        running = null;
        if (again) nudge();
      });
  };
  return {
    nudge,
    /** Waits for the run under way. */
    async settled(): Promise<void> {
      await running;
    },
  };
}
