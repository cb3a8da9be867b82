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

/** Events that Google has within a slot now. Errors: `ProviderError`. */
async function readSlot(
  context: GoogleContext,
  { userId, startsAt, endsAt }: Slot,
): Promise<CalendarEvent[]> {
  const account = await findAccount(context.database.db, userId);
  const tokens = account?.tokens ? openTokens(context, account.tokens) : null;
  // Without a connection only the portal's meetings decide; the page says that there is none.
  if (!context.calendar || !tokens) return [];
  // A token refreshed here is not stored; the next sync refreshes it again.
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
 * Whether something in a user's Google calendar takes time within a slot. Google is read now, independently of any sync. Local changes and
 * deletions that are not pushed yet take precedence. New events are imported, so that later checks know them. Errors: `ProviderError` if
 * Google cannot be read.
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
