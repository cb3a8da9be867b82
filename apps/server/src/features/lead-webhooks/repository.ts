import type {
  DeliveryOutcome,
  WebhookSource,
  WebhookSourceName,
} from "@portal/contract/entities/lead-webhook";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";

/** The event inbox of all lead webhooks; the kind of an event is its source. */
export const deliveryInbox = "lead-webhook";

/** A stored request. */
export interface DeliveryPayload {
  contentType: string;
  body: string;
  test: boolean;
}

interface DeliveryItem {
  deliveryId: number;
  eventKey: string | null;
  outcome: DeliveryOutcome;
  reason: string | null;
  leadId: number | null;
}

export interface DeliveryRow {
  id: number;
  source: WebhookSource;
  receivedAt: Date;
  processedAt: Date | null;
  attempts: number;
  error: string | null;
  payload: DeliveryPayload;
  items: (Omit<DeliveryItem, "eventKey" | "deliveryId"> & { leadName: string | null })[];
}

const columns = sql`e.id::int, e.kind as source, e.received_at as "receivedAt", e.processed_at as "processedAt", e.attempts, e.error,
  e.payload, coalesce((select jsonb_agg(jsonb_build_object('outcome', i.outcome, 'reason', i.reason, 'leadId', i.lead_id,
    'leadName', l.name) order by i.id) from lead_delivery_items i left join leads l on l.id = i.lead_id
    where i.delivery_id = e.id), '[]') as items`;

export async function listDeliveryRows(
  db: Db,
  { source, limit }: { source: WebhookSource; limit: number },
): Promise<DeliveryRow[]> {
  return query<DeliveryRow>(
    db,
    sql`select ${columns} from provider_events e where e.source = ${deliveryInbox} and e.kind = ${source}
     order by e.id desc nulls last limit ${limit}`,
  );
}

/** Returns the id of the delivery that was stored with this key. */
export async function findDeliveryId(db: Db, key: string): Promise<number | null> {
  const row = await queryFirst<{ id: number }>(
    db,
    sql`select id::int from provider_events where source = ${deliveryInbox} and event_key = ${key}`,
  );
  return row?.id ?? null;
}

/**
 * Reopens a processed delivery and deletes its results. Returns its source; null if there is no such delivery or it was not processed yet.
 */
export async function reopenDelivery(tx: Tx, id: number): Promise<WebhookSource | null> {
  const rows = await query<{ kind: WebhookSource }>(
    tx,
    sql`update provider_events set processed_at = null, attempts = 0, error = null
     where id = ${id} and source = ${deliveryInbox} and processed_at is not null returning kind`,
  );
  if (!rows[0]) return null;
  await execute(tx, sql`delete from lead_delivery_items where delivery_id = ${id}`);
  return rows[0].kind;
}

export async function deliveryExists(tx: Tx, id: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`select 1 from provider_events where id = ${id} and source = ${deliveryInbox}`,
  );
  return rowCount === 1;
}

/** Returns the keys of events that were processed before. Rejected, tested and repeated ones do not count. */
export async function findWorkedKeys(
  tx: Tx,
  { source, keys }: { source: WebhookSource; keys: string[] },
): Promise<Set<string>> {
  const rows = await query<{ key: string }>(
    tx,
    sql`select event_key as key from lead_delivery_items
     where source = ${source} and event_key = any(${sql.param(keys)}) and outcome not in ('repeat', 'rejected', 'tested')`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Stores the result of each event, in order. */
export async function insertItems(
  tx: Tx,
  { source, items }: { source: WebhookSource; items: DeliveryItem[] },
): Promise<void> {
  await execute(
    tx,
    sql`insert into lead_delivery_items (delivery_id, source, event_key, outcome, reason, lead_id)
     select i."deliveryId", ${source}, i."eventKey", i.outcome, i.reason, i."leadId"
       from rows from (jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
         as ("deliveryId" bigint, "eventKey" text, outcome text, reason text, "leadId" int)) with ordinality
         as i("deliveryId", "eventKey", outcome, reason, "leadId", place)
     order by i.place`,
  );
}

/** Returns the active consultant with the lowest id; null if there is none. */
export async function findFirstConsultant(tx: Tx): Promise<number | null> {
  const row = await queryFirst<{ id: number }>(
    tx,
    sql`select id from users where role = 'consultant' and disabled_at is null order by id limit 1`,
  );
  return row?.id ?? null;
}

/** Sets the source of new leads whose sender gave none. */
export async function fillLeadSource(
  tx: Tx,
  { leadIds, leadSource }: { leadIds: number[]; leadSource: string },
): Promise<void> {
  await execute(
    tx,
    sql`update leads set lead_source = ${leadSource} where id = any(${sql.param(leadIds)}) and lead_source is null`,
  );
}

/** The last known value of each property, with the instant of its change in ms; 0 if unknown. */
export type KnownProperties = Record<string, { value: PropertyValue; at: number }>;
export type PropertyValue = string | number | boolean;

/** A record at its sender: its lead and its known properties. */
export interface Origin {
  externalId: string;
  leadId: number | null;
  properties: KnownProperties | null;
}

export async function findOrigins(
  tx: Tx,
  { source, externalIds }: { source: WebhookSource; externalIds: string[] },
): Promise<Map<string, Origin>> {
  if (externalIds.length === 0) return new Map();
  const rows = await query<Origin>(
    tx,
    sql`select external_id as "externalId", lead_id as "leadId", properties from lead_origins
     where source = ${source} and external_id = any(${sql.param(externalIds)})`,
  );
  return new Map(rows.map((row) => [row.externalId, row]));
}

/** Stores what is known of records at their sender. If a record occurs twice, the later entry counts. */
export async function saveOrigins(
  tx: Tx,
  { source, origins }: { source: WebhookSource; origins: Origin[] },
): Promise<void> {
  if (origins.length === 0) return;
  const rows = [...new Map(origins.map((origin) => [origin.externalId, origin])).values()];
  await execute(
    tx,
    sql`insert into lead_origins as o (source, external_id, lead_id, properties)
     select ${source}, c."externalId", c."leadId", c.properties
       from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c("externalId" text, "leadId" int, properties jsonb)
     on conflict (source, external_id) do update
       set lead_id = excluded.lead_id, properties = excluded.properties, updated_at = now()
       where (o.lead_id, o.properties) is distinct from (excluded.lead_id, excluded.properties)`,
  );
}

/** A source's stored row. */
export interface SourceRow {
  source: WebhookSourceName;
  keyHash: string | null;
  keyEncrypted: string | null;
  keyHint: string | null;
  keyCreatedAt: Date | null;
  keyCreatedByName: string | null;
  previousHash: string | null;
  previousEncrypted: string | null;
  /** Null if the previous key is no longer valid. */
  previousUntil: Date | null;
  clientSecretEncrypted: string | null;
  organizationId: string | null;
}

export async function listSourceRows(db: Db): Promise<SourceRow[]> {
  return query<SourceRow>(
    db,
    sql`select k.source, k.key_hash as "keyHash", k.key_encrypted as "keyEncrypted", k.key_hint as "keyHint",
       k.key_created_at as "keyCreatedAt", u.name as "keyCreatedByName",
       k.previous_hash as "previousHash", k.previous_encrypted as "previousEncrypted",
       case when k.previous_until > now() then k.previous_until end as "previousUntil",
       k.client_secret_encrypted as "clientSecretEncrypted", k.organization_id as "organizationId"
     from lead_webhook_sources k left join users u on u.id = k.key_created_by`,
  );
}

/** Stores a new key; the previous one stays valid for `overlapHours`. */
export async function writeKey(
  tx: Tx,
  key: {
    source: WebhookSourceName;
    hash: string;
    sealed: string | null;
    hint: string;
    userId: number;
    overlapHours: number;
  },
): Promise<void> {
  await execute(
    tx,
    sql`insert into lead_webhook_sources as k (source, key_hash, key_encrypted, key_hint, key_created_at, key_created_by)
     values (${key.source}, ${key.hash}, ${key.sealed}, ${key.hint}, now(), ${key.userId})
     on conflict (source) do update set
       previous_hash = k.key_hash, previous_encrypted = k.key_encrypted,
       previous_until = case when k.key_hash is not null then now() + make_interval(hours => ${key.overlapHours}) end,
       key_hash = excluded.key_hash, key_encrypted = excluded.key_encrypted, key_hint = excluded.key_hint,
       key_created_at = excluded.key_created_at, key_created_by = excluded.key_created_by`,
  );
}

/** Removes the key and the previous one. */
export async function clearKey(tx: Tx, source: WebhookSourceName): Promise<void> {
  await execute(
    tx,
    sql`update lead_webhook_sources set key_hash = null, key_encrypted = null, key_hint = null, key_created_at = null, key_created_by = null,
       previous_hash = null, previous_encrypted = null, previous_until = null where source = ${source}`,
  );
}

/** Stores a setting of the sender's system. */
export async function writeSetting(
  tx: Tx,
  input: {
    source: WebhookSourceName;
    column: "client_secret_encrypted" | "organization_id";
    value: string | null;
  },
): Promise<void> {
  const column = sql.identifier(input.column);
  await execute(
    tx,
    sql`insert into lead_webhook_sources (source, ${column}) values (${input.source}, ${input.value})
     on conflict (source) do update set ${column} = excluded.${column}`,
  );
}
