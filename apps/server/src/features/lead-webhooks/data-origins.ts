import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { Tx } from "../../db/client.ts";

/** Properties that came one by one, each with the instant of its change in ms. */
export type KnownProperties = Record<string, { value: string; at: number }>;

/** A record at its sender: the lead it is tied to, and what came of it one by one. */
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
  const { rows } = await tx.$client.query<Origin>(
    `select external_id as "externalId", lead_id as "leadId", properties from lead_origins
     where source = $1 and external_id = any($2)`,
    [source, externalIds],
  );
  return new Map(rows.map((row) => [row.externalId, row]));
}

/** Keeps what is known of records at their sender; the later of two about one record stands. */
export async function saveOrigins(
  tx: Tx,
  { source, origins }: { source: WebhookSource; origins: Origin[] },
): Promise<void> {
  if (origins.length === 0) return;
  const rows = [...new Map(origins.map((origin) => [origin.externalId, origin])).values()];
  await tx.$client.query(
    `insert into lead_origins as o (source, external_id, lead_id, properties)
     select $1, c."externalId", c."leadId", c.properties
       from jsonb_to_recordset($2::jsonb) as c("externalId" text, "leadId" int, properties jsonb)
     on conflict (source, external_id) do update
       set lead_id = excluded.lead_id, properties = excluded.properties, updated_at = now()
       where (o.lead_id, o.properties) is distinct from (excluded.lead_id, excluded.properties)`,
    [source, JSON.stringify(rows)],
  );
}
