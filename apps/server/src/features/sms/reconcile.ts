import { ProviderError } from "../../ports/provider-error.ts";
import type { ProviderText, Texting } from "../../ports/texting.ts";
import { applyRefusal, applyTextNews } from "./apply-news.ts";
import type { MessageRow } from "./data.ts";
import { claimSilentTexts, findTextRivals, knownTextSids } from "./data-reconcile.ts";
import { withLockedText } from "./locked-text.ts";
import type { SmsContext } from "./service.ts";

const batch = 20;

/** The provider was asked and its answer is not known: of its texts with these words to that number since, the nearest in time is ours. */
async function adopt(context: SmsContext, texting: Texting, row: MessageRow): Promise<void> {
  const askedAt = row.askedAt ?? row.createdAt;
  const found = await texting.findTextsTo({ to: row.toNumber, since: askedAt });
  const known = await knownTextSids(
    context.database.db,
    found.map(({ sid }) => sid),
  );
  // The same words to the same phone may have been lost twice: a second try, or two leads of one household.
  const rivals = await findTextRivals(context.database.db, row);
  const distance = (text: ProviderText, asked: Date) =>
    Math.abs((text.createdAt?.getTime() ?? 0) - asked.getTime());
  const [ours] = found
    .filter(({ sid, body }) => !known.has(sid) && body === row.body)
    .filter((text) => rivals.every((asked) => distance(text, askedAt) <= distance(text, asked)))
    .sort((a, b) => distance(a, askedAt) - distance(b, askedAt));
  if (ours) return withLockedText(context, row.id, (tx, locked) => applyTextNews(context, tx, locked, ours));
  if (Date.now() - askedAt.getTime() > context.timings.giveUpMs)
    await withLockedText(context, row.id, (tx, locked) => applyRefusal(context, tx, locked, null));
}

/** What the provider knows of a text; one that it does not know any more stays as it is. */
async function askAbout(context: SmsContext, texting: Texting, row: MessageRow, sid: string): Promise<void> {
  const text = await texting.findText(sid);
  if (text) await withLockedText(context, row.id, (tx, locked) => applyTextNews(context, tx, locked, text));
}

/** Answers false where the provider cannot be asked about other texts either. */
async function tryReconcile(context: SmsContext, texting: Texting, row: MessageRow): Promise<boolean> {
  try {
    if (row.messageSid) await askAbout(context, texting, row, row.messageSid);
    else await adopt(context, texting, row);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode } = error;
    context.log.warn({ messageId: row.id, kind, providerCode }, "provider could not be asked about a text");
    return kind === "invalid" || kind === "not-found";
  }
}

/**
 * Asks the provider about texts that have been silent too long, and settles them; nothing is ever sent again. One process asks
 * about a text at a time, and no connection is held meanwhile. A provider that does not answer ends the round.
 */
export async function reconcileTexts(context: SmsContext): Promise<void> {
  const { texting } = context;
  if (!texting) return;
  for (;;) {
    const rows = await claimSilentTexts(context.database.db, context.timings, batch);
    for (const row of rows) if (!(await tryReconcile(context, texting, row))) return;
    if (rows.length < batch) return;
  }
}
