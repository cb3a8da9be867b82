import { pruneEvents } from "../../jobs/prune-events.ts";
import type { Ticker } from "../../jobs/ticker.ts";
import { reconcileCalls } from "./reconcile.ts";
import type { CallsContext } from "./service.ts";
import { callInbox } from "./work-events.ts";

const eventsMs = 2_000;
const silentCallsMs = 3_000;
const pruneMs = 60 * 60_000;

/**
 * Rounds beside the requests: events that a crash left behind, and calls that have been silent too long. The first round asks
 * about every live call, since news may have come while no server ran.
 */
export function startCallRounds(context: CallsContext, ticker: Ticker): void {
  let started = false;
  if (context.telephony) ticker.every(eventsMs, callInbox(context, context.telephony).work);
  ticker.every(pruneMs, () => pruneEvents(context.database.db));
  ticker.every(silentCallsMs, async () => {
    const silenceMs = started ? context.timings.silenceMs : 0;
    await reconcileCalls({ ...context, timings: { ...context.timings, silenceMs } });
    started = true;
  });
}
