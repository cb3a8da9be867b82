import type { ContactRefusal } from "@portal/contract/errors";
import type { Tx } from "../../db/client.ts";

export type Channel = "call" | "text";

/** Yes, or why not. */
export type GateAnswer = { allowed: true } | { allowed: false; reason: ContactRefusal };

/**
 * SQL that tells why a lead `l` may not be contacted now by a person, or null. The lists show it before a button is pressed, and
 * the gate decides by it. `userId` is the placeholder of the person's id: their own live call is no reason against the lead.
 */
export function refusalSql(channel: Channel, userId: string): string {
  return `case
    when coalesce(trim(l.phone), '') = '' then 'no_phone'
    when l.phone_e164 is null then 'invalid_phone'
    when l.${channel === "call" ? "call_opt_out" : "text_opt_out"} is not null then 'opted_out'
    when exists (select 1 from calls c where c.lead_id = l.id and c.state <> 'ended' and c.user_id <> ${userId})
      then 'lead_on_call'
  end`;
}

/**
 * May this lead be contacted now (design §6)? The one function that every call asks, inside the transaction that
 * makes the call row; the partial unique indexes hold what two of them decide at the same moment.
 */
export async function mayContact(
  tx: Tx,
  input: { leadId: number; userId: number; channel: Channel },
): Promise<GateAnswer> {
  const { rows } = await tx.$client.query<{ reason: ContactRefusal | null }>(
    `select coalesce(${refusalSql(input.channel, "$2::int")}, case
       when $3 = 'call' and exists (select 1 from calls c where c.user_id = $2 and c.state <> 'ended') then 'rep_on_call'
     end) as reason from leads l where l.id = $1`,
    [input.leadId, input.userId, input.channel],
  );
  const reason = rows[0]?.reason;
  return reason ? { allowed: false, reason } : { allowed: true };
}
