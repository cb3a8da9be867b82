import type { WebhookSourceName } from "@portal/contract/entities/lead-webhook";
import type { Db, Tx } from "../../platform/db/client.ts";

/** A source's row as it is kept. */
export interface SourceRow {
  source: WebhookSourceName;
  keyHash: string | null;
  keyEncrypted: string | null;
  keyHint: string | null;
  keyCreatedAt: Date | null;
  keyCreatedByName: string | null;
  previousHash: string | null;
  previousEncrypted: string | null;
  /** Null where the key before has ended. */
  previousUntil: Date | null;
  clientSecretEncrypted: string | null;
  organizationId: string | null;
}

export async function listSourceRows(db: Db): Promise<SourceRow[]> {
  const { rows } = await db.$client.query<SourceRow>(
    `select k.source, k.key_hash as "keyHash", k.key_encrypted as "keyEncrypted", k.key_hint as "keyHint",
       k.key_created_at as "keyCreatedAt", u.name as "keyCreatedByName",
       k.previous_hash as "previousHash", k.previous_encrypted as "previousEncrypted",
       case when k.previous_until > now() then k.previous_until end as "previousUntil",
       k.client_secret_encrypted as "clientSecretEncrypted", k.organization_id as "organizationId"
     from lead_webhook_sources k left join users u on u.id = k.key_created_by`,
  );
  return rows;
}

/** Writes a new key; the one before it works for another `overlapHours`. */
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
  await tx.$client.query(
    `insert into lead_webhook_sources as k (source, key_hash, key_encrypted, key_hint, key_created_at, key_created_by)
     values ($1, $2, $3, $4, now(), $5)
     on conflict (source) do update set
       previous_hash = k.key_hash, previous_encrypted = k.key_encrypted,
       previous_until = case when k.key_hash is not null then now() + make_interval(hours => $6) end,
       key_hash = excluded.key_hash, key_encrypted = excluded.key_encrypted, key_hint = excluded.key_hint,
       key_created_at = excluded.key_created_at, key_created_by = excluded.key_created_by`,
    [key.source, key.hash, key.sealed, key.hint, key.userId, key.overlapHours],
  );
}

/** Ends the key and the one before it. */
export async function clearKey(tx: Tx, source: WebhookSourceName): Promise<void> {
  await tx.$client.query(
    `update lead_webhook_sources set key_hash = null, key_encrypted = null, key_hint = null, key_created_at = null, key_created_by = null,
       previous_hash = null, previous_encrypted = null, previous_until = null where source = $1`,
    [source],
  );
}

/** Sets one of the settings that the sender's own system gives. */
export async function writeSetting(
  tx: Tx,
  input: {
    source: WebhookSourceName;
    column: "client_secret_encrypted" | "organization_id";
    value: string | null;
  },
): Promise<void> {
  await tx.$client.query(
    `insert into lead_webhook_sources (source, ${input.column}) values ($1, $2)
     on conflict (source) do update set ${input.column} = excluded.${input.column}`,
    [input.source, input.value],
  );
}
