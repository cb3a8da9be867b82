import type { ContactRefusal } from "@portal/contract/errors";
import type { Tx } from "../../db/client.ts";
import { contactRefusalSql } from "../../db/sql/contact-refusal.ts";

export type Channel = "call" | "text";

/** Yes, or why not. */
export type GateAnswer = { allowed: true } | { allowed: false; reason: ContactRefusal };

/**
 * May this lead be contacted now (design §6)? The one function that every call asks, inside the transaction that
 * makes the call row; the partial unique indexes hold what two of them decide at the same moment.
 */
export async function mayContact(
  tx: Tx,
  input: { leadId: number; userId: number; channel: Channel },
): Promise<GateAnswer> {
  const { rows } = await tx.$client.query<{ reason: ContactRefusal | null }>(
    `select coalesce(${contactRefusalSql(input.channel, "$2::int")}, case
       when $3 = 'call' and exists (select 1 from calls c where c.user_id = $2 and c.state <> 'ended') then 'rep_on_call'
     end) as reason from leads l where l.id = $1`,
    [input.leadId, input.userId, input.channel],
  );
  const reason = rows[0]?.reason;
  return reason ? { allowed: false, reason } : { allowed: true };
}
