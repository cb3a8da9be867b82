import type { CalendarEvent } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { findAccount, listByEvents } from "./repository.ts";
import { syncAccount } from "./sync-account.ts";
import { type GoogleContext, openTokens } from "./types.ts";

interface Slot {
  userId: number;
  startsAt: Date;
  endsAt: Date;
}

/** The events of a calendar that take time within a slot, as Google has them now. Errors: `ProviderError`. */
async function readSlot(
  context: GoogleContext,
  { userId, startsAt, endsAt }: Slot,
): Promise<CalendarEvent[]> {
  const account = await findAccount(context.database.db, userId);
  const tokens = account?.tokens ? openTokens(context, account.tokens) : null;
  // Not connected, or no longer: the meetings here decide, and the screen says so.
  if (!context.calendar || !tokens) return [];
  // A token that is refreshed meanwhile is the next sync's to keep.
  const google = context.calendar.open(tokens, () => undefined);
  const events: CalendarEvent[] = [];
  let page: string | null = null;
  do {
    const answer = await google.eventPage({ sync: null, page, from: startsAt, to: endsAt });
    if (answer === "expired") throw new Error("Google calls a full read expired");
    for (const change of answer.changes) if (!change.deleted) events.push(change.event);
    page = answer.nextPage;
  } while (page !== null);
  return events.filter(
    ({ busy }) => busy !== null && new Date(busy.from) < endsAt && new Date(busy.until) > startsAt,
  );
}

/**
 * Whether something in a person's Google calendar takes time within a slot: Google is read now, beside any sync. What was moved or deleted here and
 * waits to go there counts as it stands here. Where something new is found it is taken in, so that the next slots know of it.
 * Errors: `ProviderError` where Google cannot be read.
 */
export async function isTakenInGoogle(context: GoogleContext, slot: Slot): Promise<boolean> {
  const { db } = context.database;
  const events = await readSlot(context, slot);
  const ids = events.map(({ id }) => id);
  const known = ids.length > 0 ? await listByEvents(db, slot.userId, ids) : [];
  const ours = new Set(
    known.filter((row) => row.version > row.pushedVersion).map(({ googleEventId }) => googleEventId),
  );
  if (events.every(({ id }) => ours.has(id))) return false;
  await syncAccount(context, slot.userId).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
  });
  return true;
}
