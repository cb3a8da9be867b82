import type { WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";

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
