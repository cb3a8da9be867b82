/**
 * SQL that tells why a lead `l` may not be contacted now by a person, or null. The lists show it before a button is pressed, and
 * the gate decides by it. `userId` is the SQL of the person's id: their own live call is no reason against the lead.
 */
export function contactRefusalSql(channel: "call" | "text", userId: string): string {
  return `case
    when coalesce(trim(l.phone), '') = '' then 'no_phone'
    when l.phone_e164 is null then 'invalid_phone'
    when l.${channel === "call" ? "call_opt_out" : "text_opt_out"} is not null then 'opted_out'
    when l.number_fault is not null then 'opted_out'
    when exists (select 1 from calls live where (live.lead_id = l.id or live.lead_number = l.phone_e164)
        and live.state <> 'ended' and live.user_id <> ${userId})
      then 'lead_on_call'
  end`;
}
