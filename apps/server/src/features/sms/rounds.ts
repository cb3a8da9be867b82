import type { Ticker } from "../../jobs/ticker.ts";
import { reconcileTexts } from "./reconcile.ts";
import type { SmsContext } from "./service.ts";
import { textInbox } from "./work-events.ts";

const eventsMs = 2_000;
const silentTextsMs = 3_000;

/** Short rounds beside the requests: events that a crash left behind, and texts that have been silent too long. */
export function startTextRounds(context: SmsContext, ticker: Ticker): void {
  if (context.texting) ticker.every(eventsMs, textInbox(context, context.texting).work);
  ticker.every(silentTextsMs, () => reconcileTexts(context));
}
