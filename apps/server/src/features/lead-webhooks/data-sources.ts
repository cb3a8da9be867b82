import type { IntakeSource } from "@portal/contract/entities/lead-webhook";
import type { Db, Tx } from "../../db/client.ts";

/** A source's row as it is kept. */
export interface SourceRow {
  source: IntakeSource;
  keyHash: string | null;
  keySealed: string | null;
  keyHint: string | null;
  keyCreatedAt: Date | null;
  keyCreatedByName: string | null;
  previousHash: string | null;
  previousSealed: string | null;
  /** Null where the key before has ended. */
  previousUntil: Date | null;
  clientSecretSealed: string | null;
  organizationId: string | null;
}

export async function listSourceRows(db: Db): Promise<SourceRow[]> {
  const { rows } = await db.$client.query<SourceRow>(
    `select k.source, k.key_hash as "keyHash", k.key_sealed as "keySealed", k.key_hint as "keyHint",
       k.key_created_at as "keyCreatedAt", u.name as "keyCreatedByName",
       k.previous_hash as "previousHash", k.previous_sealed as "previousSealed",
       case when k.previous_until > now() then k.previous_until end as "previousUntil",
       k.client_secret_sealed as "clientSecretSealed", k.organization_id as "organizationId"
     from intake_keys k left join users u on u.id = k.key_created_by`,
  );
  return rows;
}

/** Writes a new key; the one before it works for another `overlapHours`. */
export async function writeKey(
  tx: Tx,
  key: {
    source: IntakeSource;
    hash: string;
    sealed: string | null;
    hint: string;
    userId: number;
    overlapHours: number;
  },
): Promise<void> {
  await tx.$client.query(
    `insert into intake_keys as k (source, key_hash, key_sealed, key_hint, key_created_at, key_created_by)
     values ($1, $2, $3, $4, now(), $5)
     on conflict (source) do update set
       previous_hash = k.key_hash, previous_sealed = k.key_sealed,
       previous_until = case when k.key_hash is not null then now() + make_interval(hours => $6) end,
       key_hash = excluded.key_hash, key_sealed = excluded.key_sealed, key_hint = excluded.key_hint,
       key_created_at = excluded.key_created_at, key_created_by = excluded.key_created_by`,
    [key.source, key.hash, key.sealed, key.hint, key.userId, key.overlapHours],
  );
}

/** Ends the key and the one before it. */
export async function clearKey(tx: Tx, source: IntakeSource): Promise<void> {
  await tx.$client.query(
    `update intake_keys set key_hash = null, key_sealed = null, key_hint = null, key_created_at = null, key_created_by = null,
       previous_hash = null, previous_sealed = null, previous_until = null where source = $1`,
    [source],
  );
}

/** Sets one of the settings that the sender's own system gives. */
export async function writeSetting(
  tx: Tx,
  input: {
    source: IntakeSource;
    column: "client_secret_sealed" | "organization_id";
    value: string | null;
  },
): Promise<void> {
  await tx.$client.query(
    `insert into intake_keys (source, ${input.column}) values ($1, $2)
     on conflict (source) do update set ${input.column} = excluded.${input.column}`,
    [input.source, input.value],
  );
}
