import type { SQL } from "drizzle-orm";
import type { Tx } from "../../platform/db/client.ts";
import { execute, queryOnly, sql } from "../../platform/db/query.ts";

interface MovedTable {
  /** The key of its rows, by which an undo returns the other lead's rows. */
  key: SQL;
  /** Further columns to set in a row that moves to another lead. */
  set: SQL;
}

const byId: MovedTable = { key: sql`to_jsonb(t.id)`, set: sql.empty() };
/** Both leads may have a row of their own in the table, so a moved one is marked. */
const marked = sql`, merged = true`;

/** Every table whose rows belong to a lead and move with it when it is merged into another. */
export const movedTables: Record<string, MovedTable> = {
  clients: byId,
  lead_events: byId,
  calls: byId,
  inbound_calls: byId,
  call_logs: byId,
  recordings: byId,
  messages: byId,
  scheduled_sms: byId,
  meetings: byId,
  crm_outbox: byId,
  lead_delivery_items: byId,
  contact_refusals: byId,
  lead_origins: { key: sql`jsonb_build_array(t.source, t.external_id)`, set: sql.empty() },
  dialer_items: { key: sql`jsonb_build_array(t.session_id, t.position)`, set: marked },
  bulk_change_items: { key: sql`to_jsonb(t.id)`, set: marked },
  // Earlier merges of the lead that is now merged itself.
  lead_merges: byId,
  lead_aliases: { key: sql`to_jsonb(t.merge_id)`, set: sql.empty() },
};

/** Markers of CRM runs for a lead's contact: they stay with the contact, and an undo restores each lead's own. */
export const notedTables = ["crm_missing", "crm_unread"] as const;

export type Moved = Record<string, unknown[]>;

/** Moves all rows of one lead to another; returns their keys by table. */
export async function moveRows(tx: Tx, { from, to }: { from: number; to: number }): Promise<Moved> {
  const moved: Moved = {};
  for (const [table, { key, set }] of Object.entries(movedTables)) {
    const { keys } = await queryOnly<{ keys: unknown[] }>(
      tx,
      sql`with moved as (update ${sql.identifier(table)} t set lead_id = ${to} ${set} where t.lead_id = ${from} returning ${key} as key)
       select coalesce(jsonb_agg(key), '[]') as keys from moved`,
    );
    moved[table] = keys;
  }
  return moved;
}

/** Moves rows back by their keys, if they still belong to the remaining lead. */
export async function moveBack(
  tx: Tx,
  { moved, from, to }: { moved: Moved; from: number; to: number },
): Promise<void> {
  for (const [table, { key }] of Object.entries(movedTables)) {
    const keys = moved[table] ?? [];
    if (keys.length === 0) continue;
    await execute(
      tx,
      sql`update ${sql.identifier(table)} t set lead_id = ${to}
       where t.lead_id = ${from} and ${key} in (select jsonb_array_elements(${JSON.stringify(keys)}::jsonb))`,
    );
  }
}

/** Moves calls and texts of a number since an instant, with their dependent rows, to the lead that has the number again. */
export async function moveByNumber(
  tx: Tx,
  { from, to, number, since }: { from: number; to: number; number: string; since: Date },
): Promise<void> {
  const fromTo = sql`lead_id = ${to} where lead_id = ${from}`;
  await execute(tx, sql`update calls set ${fromTo} and lead_number = ${number} and requested_at >= ${since}`);
  await execute(
    tx,
    sql`update inbound_calls set ${fromTo} and from_number = ${number} and started_at >= ${since}`,
  );
  await execute(
    tx,
    sql`update messages set ${fromTo} and created_at >= ${since}
       and case direction when 'inbound' then from_number else to_number end = ${number}`,
  );
  const ofCalls = sql`(call_id in (select id from calls where lead_id = ${to})
    or inbound_call_id in (select id from inbound_calls where lead_id = ${to}))`;
  await execute(tx, sql`update call_logs set ${fromTo} and ${ofCalls}`);
  await execute(tx, sql`update recordings set ${fromTo} and ${ofCalls}`);
  const names = (key: string, table: SQL) =>
    sql`data ->> ${key} in (select id::text from ${table} where lead_id = ${to})`;
  await execute(
    tx,
    sql`update lead_events set ${fromTo} and at >= ${since} and (${names("callId", sql`calls`)} or ${names("callLogId", sql`call_logs`)}
       or ${names("inboundCallId", sql`inbound_calls`)} or ${names("messageId", sql`messages`)})`,
  );
}
