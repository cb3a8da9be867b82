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
 * The oldest open event whose time has come, held for this transaction; other workers take the next. Working does not wait
 * for the disk: what a crash of PostgreSQL takes back, effect and closing together, is worked again from the stored event.
 */
async function claimEvent<Payload>(tx: Tx, source: string): Promise<StoredEvent<Payload> | undefined> {
  const { rows } = await tx.$client.query<StoredEvent<Payload>>(
    `select id::int, kind, payload, attempts, set_config('synchronous_commit', 'off', true) from provider_events
     where source = $1 and processed_at is null
       and received_at + case when attempts = 0 then interval '0' else least(power(2, attempts), 300) * interval '1 s' end
         <= clock_timestamp()
     order by received_at, id limit 1 for update skip locked`,
    [source],
  );
  return rows[0];
}

async function closeEvent(tx: Tx, eventId: number, note: string | null): Promise<void> {
  await tx.$client.query(
    "update provider_events set processed_at = clock_timestamp(), attempts = attempts + 1, error = $2 where id = $1",
    [eventId, note],
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
 * closes the event, and answers why it had no effect, or null.
 */
export function createEventInbox<Payload extends object>(
  context: { database: Database; log: Logger },
  options: { source: string; apply: (tx: Tx, event: StoredEvent<Payload>) => Promise<string | null> },
): EventInbox<Payload> {
  const { database, log } = context;
  const { source, apply } = options;

  /** False where no event is left for this worker. */
  async function workOne(): Promise<boolean> {
    let claimed: StoredEvent<Payload> | undefined;
    try {
      await database.transaction(async (tx) => {
        claimed = await claimEvent<Payload>(tx, source);
        if (!claimed) return;
        const note = await apply(tx, claimed);
        if (note)
          log.warn({ eventId: claimed.id, kind: claimed.kind, note }, "provider event without effect");
        await closeEvent(tx, claimed.id, note);
      });
    } catch (error) {
      if (!claimed) throw error;
      // The query layer's own error carries the values of the query, numbers among them.
      const err = (error as Error).cause ?? error;
      log.error({ err, eventId: claimed.id, kind: claimed.kind }, "provider event failed");
      await failEvent(database.db, claimed.id, String((error as Error).message).slice(0, 500));
    }
    return claimed !== undefined;
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
      while (await workOne()) {
        // The next one.
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
