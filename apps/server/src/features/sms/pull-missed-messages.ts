import type { SmsProvider } from "../../ports/sms.ts";
import { findNewestInbound, knownMessageSids } from "./message-repository.ts";
import type { SmsContext } from "./types.ts";
import { messageInbox, missedMessageEvent } from "./webhook-routes.ts";

/** The provider's list and its clock may lag behind by so much. */
const overlapMs = 10 * 60_000;
/** After a longer absence only the last days are asked for. */
const longestMs = 7 * 86_400_000;

/**
 * Takes in what people wrote while neither portal nor database could: the provider tells of a text for some seconds only. Asks for all since
 * the last round that went well; the first one of a process since the newest text that was there when it started. Errors: `ProviderError`.
 */
export function createMissedMessages(context: SmsContext, smsProvider: SmsProvider): () => Promise<void> {
  const { db } = context.database;
  const inbox = messageInbox(context, smsProvider);
  const startedAt = new Date();
  let readUntil: Date | null = null;

  return async () => {
    const began = new Date();
    const from = readUntil ?? (await findNewestInbound(db, startedAt)) ?? startedAt;
    const since = new Date(Math.max(from.getTime() - overlapMs, began.getTime() - longestMs));
    const found = await smsProvider.listInbound(since);
    const known = await knownMessageSids(
      db,
      found.map(({ sid }) => sid),
    );
    // Oldest first, as they would have come.
    for (const text of found.toReversed())
      if (!known.has(text.sid)) await inbox.store(missedMessageEvent(text));
    readUntil = began;
  };
}
