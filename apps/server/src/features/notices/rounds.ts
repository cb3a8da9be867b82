import type { Ticker } from "../../jobs/ticker.ts";
import { type DueLetter, findDueLetters } from "./data.ts";
import { type MailJob, type NoticesContext, queueLetter } from "./service.ts";

const roundMs = 30_000;
const queuedMax = 10_000;

function letterOf({ kind, id, userId, version }: DueLetter): MailJob {
  const reference = `${kind}-${id}-${userId}-${version}`;
  switch (kind) {
    case "text":
      return { kind, leadId: id, userId, reference };
    case "missed-call":
      return { kind, inboundCallId: id, userId, reference };
    case "meeting":
      return { kind, meetingId: id, startsAt: new Date(Number(version)).toISOString(), userId, reference };
  }
}

/**
 * Queues the letters that are due; any process may, of one reference there is one letter. `queued` is what this process has queued
 * before and need not offer again.
 */
export async function queueDueLetters(context: NoticesContext, queued = new Set<string>()): Promise<void> {
  if (!context.mailer) return;
  const due = (await findDueLetters(context.database.db)).map(letterOf);
  const fresh = due.filter(({ reference }) => !queued.has(reference));
  if (fresh.length === 0) return;
  await context.database.transaction(async (tx) => {
    for (const letter of fresh) await queueLetter(tx, context, letter);
  });
  if (queued.size > queuedMax) queued.clear();
  for (const { reference } of fresh) queued.add(reference);
}

/** Begins the round in this process, where mail is sent at all. */
export function startNoticeRounds(context: NoticesContext, ticker: Ticker): void {
  const queued = new Set<string>();
  if (context.mailer) ticker.every(roundMs, () => queueDueLetters(context, queued));
}
