import type { Ticker } from "../../jobs/ticker.ts";
import { reconcileCalls } from "./reconcile.ts";
import type { CallsContext } from "./service.ts";
import { workEvents } from "./work-events.ts";

const eventsMs = 2_000;
const silentCallsMs = 3_000;

/** Short rounds beside the requests: events that a crash left behind, and calls that have been silent too long. */
export function startCallRounds(context: CallsContext, ticker: Ticker): void {
  ticker.every(eventsMs, () => workEvents(context));
  ticker.every(silentCallsMs, () => reconcileCalls(context));
}
