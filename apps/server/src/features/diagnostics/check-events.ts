import type { Check, Found } from "./check.ts";
import type { EventFacts } from "./repository.ts";

const slowMs = 60_000;
const stuckMs = 10 * 60_000;

function waitingSince(at: Date | null): number {
  return at ? Date.now() - at.getTime() : 0;
}

/** When the last event came. `sentTo`: where the sender should send some; without any it is not set up. */
export function lastEventCheck(
  facts: () => Promise<EventFacts>,
  { sentTo = null }: { sentTo?: string | null } = {},
): Check {
  return {
    name: "lastEvent",
    look: async () => {
      const { lastAt } = await facts();
      if (lastAt) return { status: "ok", finding: "received", at: lastAt };
      return { status: sentTo ? "warn" : "ok", finding: "none_received", detail: sentTo };
    },
  };
}

/** What has come in and is not worked yet. */
export function queueCheck(facts: () => Promise<EventFacts>): Check {
  return {
    name: "queue",
    look: async (): Promise<Found> => {
      const { waiting, oldestWaitingAt, putAside } = await facts();
      const seen = { values: { count: waiting, putAside }, at: oldestWaitingAt };
      const sinceMs = waitingSince(oldestWaitingAt);
      if (sinceMs > stuckMs) return { status: "fail", finding: "stuck", ...seen };
      if (sinceMs > slowMs) return { status: "warn", finding: "slow", ...seen };
      if (putAside > 0) return { status: "warn", finding: "put_aside", ...seen };
      return { status: "ok", finding: waiting > 0 ? "waiting" : "nothing_waits", ...seen };
    },
  };
}
