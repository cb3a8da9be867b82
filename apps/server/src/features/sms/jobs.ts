import { findOwn } from "../../domain/lost-request.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { SmsProvider } from "../../ports/sms.ts";
import {
  claimSilentMessages,
  findMessageRivals,
  findNewestInbound,
  knownMessageSids,
  type MessageRow,
} from "./message-repository.ts";
import { type ScheduledContext, sendDueSms } from "./scheduled/service.ts";
import type { SmsContext } from "./types.ts";
import { applyMessageUpdate, markRefused, withLockedMessage } from "./update-message.ts";
import { messageInbox, missedMessageEvent } from "./webhook-routes.ts";

/** The provider's list and clock may lag behind by this much. */
const overlapMs = 10 * 60_000;
/** After a longer outage only the last days are read. */
const longestMs = 7 * 86_400_000;

/**
 * Returns a function that fetches SMS which arrived while the portal or the database was down, as the provider retries a callback for some
 * seconds only. It reads everything since its last successful run; the first run of a process since the newest stored SMS. Errors:
 * `ProviderError`.
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
    const found = await smsProvider.listInbound({
      since,
      address: `${context.publicUrl}/api/twilio/sms/inbound`,
    });
    const known = await knownMessageSids(
      db,
      found.map(({ sid }) => sid),
    );
    // Oldest first, in the order in which callbacks would have arrived.
    for (const text of found.toReversed())
      if (!known.has(text.sid)) await inbox.store(missedMessageEvent(text));
    readUntil = began;
  };
}

const batch = 20;

/** The request's answer was lost: of the provider's SMS with this body to that number since, the nearest in time is ours. */
async function adopt(context: SmsContext, smsProvider: SmsProvider, row: MessageRow): Promise<void> {
  const askedAt = row.askedAt ?? row.createdAt;
  const found = await smsProvider.findSmsTo({ to: row.toNumber, since: askedAt });
  const known = await knownMessageSids(
    context.database.db,
    found.map(({ sid }) => sid),
  );
  // The same body to the same number may have been lost twice: a second attempt, or two leads of one household.
  const rivals = await findMessageRivals(context.database.db, row);
  const ours = findOwn(
    found.filter(({ body }) => body === row.body),
    { askedAt, known, rivals },
  );
  if (ours)
    return withLockedMessage(context, row.id, (tx, locked) => applyMessageUpdate(context, tx, locked, ours));
  if (Date.now() - askedAt.getTime() > context.timings.giveUpMs)
    await withLockedMessage(context, row.id, (tx, locked) => markRefused(context, tx, locked, null));
}

/** Reads the status of an SMS; one that the provider no longer knows stays as it is. */
async function askAbout(
  context: SmsContext,
  smsProvider: SmsProvider,
  row: MessageRow,
  sid: string,
): Promise<void> {
  const text = await smsProvider.findSms(sid);
  if (text)
    await withLockedMessage(context, row.id, (tx, locked) => applyMessageUpdate(context, tx, locked, text));
}

/** Returns false if the provider cannot be asked about other SMS either. */
async function tryReconcile(
  context: SmsContext,
  smsProvider: SmsProvider,
  row: MessageRow,
): Promise<boolean> {
  try {
    if (row.messageSid) await askAbout(context, smsProvider, row, row.messageSid);
    else await adopt(context, smsProvider, row);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode } = error;
    context.log.warn({ messageId: row.id, kind, providerCode }, "provider could not be asked about a text");
    return kind === "invalid" || kind === "not-found";
  }
}

/**
 * Asks the provider about SMS without a callback for too long and stores the result; nothing is sent again. One process asks about an SMS
 * at a time, and no connection is held meanwhile. An outage of the provider ends the pass.
 */
export async function reconcileMessages(context: SmsContext): Promise<void> {
  const { smsProvider } = context;
  if (!smsProvider) return;
  for (;;) {
    const rows = await claimSilentMessages(context.database.db, context.timings, batch);
    for (const row of rows) if (!(await tryReconcile(context, smsProvider, row))) return;
    if (rows.length < batch) return;
  }
}

const eventsMs = 2_000;
const silentTextsMs = 3_000;
const missedMessagesMs = 60_000;

/** Starts the scheduled tasks: events left after a crash, SMS without a callback for their arrival, and SMS whose status is overdue. */
export function startSmsJobs(context: SmsContext, scheduler: Scheduler): void {
  if (context.smsProvider) scheduler.every(eventsMs, messageInbox(context, context.smsProvider).work);
  if (context.smsProvider) {
    const pullMissed = createMissedMessages(context, context.smsProvider);
    scheduler.every(missedMessagesMs, async () => {
      await pullMissed().catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        context.log.warn({ kind: error.kind }, "provider could not be asked for missed texts");
      });
    });
  }
  scheduler.every(silentTextsMs, () => reconcileMessages(context));
}

const dueMs = 1_000;
/** SMS sent concurrently, so that a slow provider does not block all of them. */
const atOnce = 4;

/** Starts the scheduled task that sends SMS when they are due. */
export function startScheduledSms(context: ScheduledContext, scheduler: Scheduler): void {
  if (!context.sms.smsProvider) return;
  scheduler.every(dueMs, async () => {
    await Promise.all(Array.from({ length: atOnce }, () => sendDueSms(context)));
  });
}
