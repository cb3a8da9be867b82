import type { ContactRefusal } from "@portal/contract/errors";
import type { Tx } from "../../db/client.ts";
import type { Channel } from "./decide-contact.ts";
import { lockPerson } from "./lock-person.ts";

/** A contact that was refused: who wanted to reach whom, how, and why not. */
export interface RefusedAttempt {
  userId: number;
  leadId: number;
  channel: Channel;
  by: "person" | "dialer";
  reason: ContactRefusal;
}

/** Keeps a refused attempt; the same one within a minute stands there already. */
export async function insertRefusal(tx: Tx, attempt: RefusedAttempt): Promise<void> {
  await lockPerson(tx, attempt.userId);
  await tx.$client.query(
    `insert into contact_refusals (user_id, lead_id, channel, by, reason, at)
     select $1, $2, $3, $4, $5, clock_timestamp()
     where not exists (select 1 from contact_refusals r where r.user_id = $1 and r.at > clock_timestamp() - interval '1 minute'
       and r.lead_id = $2 and r.channel = $3 and r.by = $4 and r.reason = $5)`,
    [attempt.userId, attempt.leadId, attempt.channel, attempt.by, attempt.reason],
  );
}
