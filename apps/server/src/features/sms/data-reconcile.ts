import { inArray } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { messages } from "../../db/schema/messages.ts";
import type { MessageRow } from "./data.ts";

interface Waits {
  unansweredMs: number;
  silenceMs: number;
  againMs: number;
}

const olderThan = (column: string, placeholder: string) =>
  `${column} < clock_timestamp() - ${placeholder} * interval '1 ms'`;

const recent = "created_at > clock_timestamp() - interval '1 day'";

/**
 * Takes up the texts that have been silent too long, for one worker at a time: those whose answer was lost, those under way, and once
 * those that were sent and never reported as delivered (some carriers do not tell). A day later what the provider has is left as it is.
 */
export async function claimSilentTexts(db: Db, waits: Waits, limit: number): Promise<MessageRow[]> {
  const { rows } = await db.$client.query<{ id: number }>(
    `update messages set checked_at = clock_timestamp() where id in (
       select id from messages where
         (status in ('requested', 'queued', 'sending') and (checked_at is null or ${olderThan("checked_at", "$3")})
           and ((message_sid is null and ${olderThan("asked_at", "$1")})
             or (message_sid is not null and ${olderThan("last_news_at", "$2")} and ${recent})))
         or (status = 'sent' and checked_at is null and ${olderThan("last_news_at", "$2")} and ${recent})
       order by last_news_at limit $4 for update skip locked)
     returning id`,
    [waits.unansweredMs, waits.silenceMs, waits.againMs, limit],
  );
  const ids = rows.map(({ id }) => id);
  return ids.length > 0
    ? db.select().from(messages).where(inArray(messages.id, ids)).orderBy(messages.id)
    : [];
}

/** Which of the provider's ids belong to texts already. */
export async function knownTextSids(db: Db, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await db
    .select({ sid: messages.messageSid })
    .from(messages)
    .where(inArray(messages.messageSid, sids));
  return new Set(rows.flatMap(({ sid }) => sid ?? []));
}

/** When other texts with these words to that phone were asked for whose ids at the provider are not known either. */
export async function findTextRivals(
  db: Db,
  row: Pick<MessageRow, "id" | "toNumber" | "body">,
): Promise<Date[]> {
  const { rows } = await db.$client.query<{ asked_at: Date }>(
    `select asked_at from messages where status = 'requested' and message_sid is null and asked_at is not null
       and to_number = $2 and body = $3 and id <> $1`,
    [row.id, row.toNumber, row.body],
  );
  return rows.map(({ asked_at }) => asked_at);
}
