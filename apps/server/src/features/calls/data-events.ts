import type { Db, Tx } from "../../db/client.ts";

export const eventKinds = ["rep-status", "lead-status", "detection"] as const;
export type EventKind = (typeof eventKinds)[number];

export interface StoredEvent {
  id: number;
  kind: string;
  /** The request's fields as they came; a repeated field is an array. */
  payload: { callId: number | null; params: Record<string, string | string[]> };
  attempts: number;
}

const source = "twilio";
/** A worked event is kept this long: nobody repeats or asks for an older one. */
const keptDays = 30;
const pruneBatch = 5_000;
/** An event that fails so often is put aside with its error. */
const attemptsMax = 20;

/** Stores an event as it came; one that came before is dropped. */
export async function insertEvent(
  db: Db,
  event: { key: string; kind: EventKind; payload: StoredEvent["payload"] },
): Promise<void> {
  await db.$client.query(
    `insert into provider_events (source, event_key, kind, payload) values ($1, $2, $3, $4)
     on conflict (source, event_key) do nothing`,
    [source, event.key, event.kind, JSON.stringify(event.payload)],
  );
}

/** The oldest open event whose time has come, held for this transaction; other workers take the next. */
export async function claimEvent(tx: Tx): Promise<StoredEvent | undefined> {
  const { rows } = await tx.$client.query<StoredEvent>(
    `select id::int, kind, payload, attempts from provider_events
     where source = $1 and processed_at is null
       and received_at + case when attempts = 0 then interval '0' else least(power(2, attempts), 300) * interval '1 s' end
         <= clock_timestamp()
     order by received_at, id limit 1 for update skip locked`,
    [source],
  );
  return rows[0];
}

export async function closeEvent(tx: Tx, eventId: number, note: string | null): Promise<void> {
  await tx.$client.query(
    "update provider_events set processed_at = clock_timestamp(), attempts = attempts + 1, error = $2 where id = $1",
    [eventId, note],
  );
}

/** Keeps the error; the event is tried again later, 20 times at most. */
export async function failEvent(db: Db, eventId: number, error: string): Promise<void> {
  await db.$client.query(
    `update provider_events set attempts = attempts + 1, error = $2,
       processed_at = case when attempts + 1 >= $3 then clock_timestamp() end
     where id = $1 and processed_at is null`,
    [eventId, error, attemptsMax],
  );
}

/** Forgets the events worked long ago, some at a time, so that no statement is long. Ids rise with time: no other index is needed. */
export async function pruneEvents(db: Db, batch = pruneBatch): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await db.$client.query<{ last: number | null; gone: number }>(
      `with oldest as (
         select id, processed_at < clock_timestamp() - make_interval(days => $3) as old from provider_events
         where id > $1 order by id limit $2),
       gone as (delete from provider_events e using oldest o where o.id = e.id and o.old returning e.id)
       select (select max(id)::float8 from oldest) as last, (select count(*)::int from gone) as gone`,
      [after, batch, keptDays],
    );
    const { last = null, gone = 0 } = rows[0] ?? {};
    if (last === null || gone === 0) return;
    after = last;
  }
}
