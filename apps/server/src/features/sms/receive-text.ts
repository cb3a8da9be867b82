import type { Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import type { InboundText } from "../../ports/texting.ts";
import { toE164 } from "../../values/phone.ts";
import { announceTexts } from "./apply-news.ts";
import { insertInbound } from "./data.ts";
import { findLeadOfNumber } from "./data-leads.ts";
import { keywordOf } from "./keywords.ts";
import { optIn, optOut } from "./opt-out.ts";
import type { SmsContext } from "./service.ts";

/**
 * Keeps an inbound text, once, with the lead it came from or in the inbox of unknown numbers; a keyword locks or unlocks every lead
 * with that number; `eventId` is its place among all that came in. Answers why it had no effect, or null.
 */
export async function receiveText(
  context: SmsContext,
  tx: Tx,
  text: InboundText & { eventId: number },
): Promise<string | null> {
  const from = toE164(text.from, context.defaultCountry) ?? text.from;
  const lead = await findLeadOfNumber(tx, from);
  const { sid, to, body, mediaCount, eventId } = text;
  const message = { sid, leadId: lead?.id ?? null, from, to, body, attachments: mediaCount };
  if (!(await insertInbound(tx, message))) return "known already";
  const keyword = keywordOf(body);
  if (keyword === "stop") await optOut(context, tx, { number: from, by: "keyword", eventId });
  if (keyword === "start") await optIn(context, tx, { number: from, eventId });
  if (lead) await announceTexts(tx, lead.id);
  else await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
  return null;
}
