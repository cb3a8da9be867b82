import { lockText } from "../../../platform/db/advisory-locks.ts";
import type { Database } from "../../../platform/db/client.ts";
import { execute, query, sql } from "../../../platform/db/query.ts";
import { recordAudit } from "../../activity/record-audit.ts";

const action = "sign-in-failed";
/** One entry gathers what fails within so many minutes of its first. */
const windowMinutes = 15;
/** With so many entries in a window, what comes from further addresses is gathered too. */
const entriesMost = 200;
const elsewhere = "other addresses";

/**
 * Writes a failed sign-in to the audit: one entry for an account and an address in 15 minutes, with their number, and never more than
 * guessers can fill. What was typed is not kept where nobody has that address: it may be a password.
 */
export async function recordFailedSignIn(
  database: Database,
  { userId, address }: { userId: number | null; address: string },
): Promise<void> {
  const subject = userId === null ? null : `user:${userId}`;
  await database.transaction(async (tx) => {
    const count = async (from: string): Promise<boolean> => {
      await lockText(tx, "failedSignIn", `${subject} ${from}`);
      const rowCount = await execute(
        tx,
        sql`update audit_log set data = data || jsonb_build_object('count', (data->>'count')::int + 1, 'lastAt', now())
         where id = (select id from audit_log where action = ${action} and at > now() - make_interval(mins => ${windowMinutes})
           and subject is not distinct from ${subject} and data->>'address' = ${from} order by at desc limit 1)`,
      );
      return rowCount === 1;
    };
    if (await count(address)) return;
    const rows = await query<{ n: number }>(
      tx,
      sql`select count(*)::int as n from (select 1 from audit_log where action = ${action} and at > now() - make_interval(mins => ${windowMinutes}) limit ${entriesMost}) e`,
    );
    const isFull = (rows[0]?.n ?? 0) >= entriesMost;
    if (isFull && (await count(elsewhere))) return;
    const from = isFull ? elsewhere : address;
    const data = { address: from, count: 1, ...(userId === null && { account: "unknown" }) };
    await recordAudit(tx, { userId: null, action, ...(subject && { subject }), data });
  });
}
