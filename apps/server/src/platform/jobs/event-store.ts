import type { Db } from "../db/client.ts";
import { type Database, postgresCode } from "../db/client.ts";
import { query, sql } from "../db/query.ts";

interface NewEvent {
  key: string;
  kind: string;
  payload: object;
}

interface Waiting {
  event: NewEvent;
  /** Its id, or null if its key is already stored. */
  kept: (id: number | null) => void;
  failed: (error: unknown) => void;
}

/** Events stored by one statement at most. */
const batchMax = 100;
/** PostgreSQL refused the values: each event is then stored or refused separately. */
const refusedValues = /^(22|23|54)/;

/** JSON that PostgreSQL can store: without U+0000 and lone surrogates. */
function toJson(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" ? inner.replaceAll("\u0000", "").toWellFormed() : inner,
  );
}

/**
 * Stores several events with one statement, and so with one wait for the disk; returns null for those whose key is already stored, which
 * are dropped.
 */
async function insertEvents(
  database: Database,
  source: string,
  events: NewEvent[],
): Promise<(number | null)[]> {
  const keys = events.map(({ key }) => key.replaceAll("\u0000", "").toWellFormed().slice(0, 500));
  const values = events.map(({ kind, payload }, index) => ({ key: keys[index], kind, payload }));
  const rows = await query<{ id: number; key: string }>(
    database.db,
    sql`insert into provider_events (source, event_key, kind, payload)
           select ${source}, key, kind, payload from json_to_recordset(${toJson(values)}::json) as e(key text, kind text, payload jsonb)
           on conflict (source, event_key) do nothing returning id::int, event_key as key`,
    { prepared: true },
  );
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  return keys.map((key) => {
    const id = ids.get(key) ?? null;
    ids.delete(key);
    return id;
  });
}

/**
 * Stores events of one source. Those that arrive during a statement are stored together by the next one. Each resolves with its row's id
 * after the commit, or null if its key is already stored, and is rejected only if its own row fails.
 */
export function createEventStore(
  database: Database,
  source: string,
): (event: NewEvent) => Promise<number | null> {
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeEach(batch: Waiting[]): Promise<void> {
    for (const { event, kept, failed } of batch)
      await insertEvents(database, source, [event]).then(([id = null]) => kept(id), failed);
  }

  async function write(batch: Waiting[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    try {
      const ids = await insertEvents(database, source, events);
      for (const [index, { kept }] of batch.entries()) kept(ids[index] ?? null);
    } catch (error) {
      if (batch.length > 1 && refusedValues.test(postgresCode(error) ?? "")) return writeEach(batch);
      for (const { failed } of batch) failed(error);
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await write(waiting.splice(0, batchMax));
    writing = false;
  }

  return (event) =>
    new Promise((kept, failed) => {
      waiting.push({ event, kept, failed });
      if (writing) return;
      writing = true;
      // Deferred, so that requests which arrived together share one statement.
      setImmediate(() => void writeAll());
    });
}

/** How long a processed event is kept; older ones are neither repeated nor queried. */
const keptDays = 30;
const pruneBatch = 5_000;

/**
 * Deletes events that were processed long ago, in batches, so that no statement takes long. Ids increase with time, so no other index is
 * needed.
 */
export async function pruneEvents(db: Db, batch = pruneBatch): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = await query<{ last: number | null; gone: number }>(
      db,
      sql`with oldest as (
         select id, processed_at < clock_timestamp() - make_interval(days => ${keptDays}) as old from provider_events
         where id > ${after} order by id limit ${batch}),
       gone as (delete from provider_events e using oldest o where o.id = e.id and o.old returning e.id)
       select (select max(id)::float8 from oldest) as last, (select count(*)::int from gone) as gone`,
    );
    const { last = null, gone = 0 } = rows[0] ?? {};
    if (last === null || gone === 0) return;
    after = last;
  }
}
