import { type Check, type Found, judgeOutbox, once } from "./check.ts";
import { readCalendarFacts } from "./repository.ts";
import type { DiagnosticsContext } from "./types.ts";

/** Changes are asked for every 5 minutes. */
const lateMs = 20 * 60_000;

type Facts = Awaited<ReturnType<typeof readCalendarFacts>>;

function accountsFound({ connected, ended, apiOff, domainClosed }: Facts): Found {
  if (apiOff > 0) return { status: "fail", finding: "api_off", values: { count: apiOff } };
  if (domainClosed > 0) return { status: "fail", finding: "domain_policy", values: { count: domainClosed } };
  const values = { count: connected, ended };
  if (ended > 0) return { status: "warn", finding: "accounts_ended", values };
  return { status: "ok", finding: connected > 0 ? "accounts_connected" : "no_accounts", values };
}

function syncFound({ connected, oldestSyncAt }: Facts): Found {
  if (connected === 0 || !oldestSyncAt) return { status: "off", finding: "never_synced" };
  const isLate = Date.now() - oldestSyncAt.getTime() > lateMs;
  return { status: isLate ? "warn" : "ok", finding: isLate ? "sync_late" : "synced", at: oldestSyncAt };
}

/** Google Calendar: each consultant connects their own, so there is no key of the portal's to try; what is known of all of them is looked at. */
export function googleChecks({ db, hasCalendar }: DiagnosticsContext): Check[] {
  if (!hasCalendar)
    return [{ name: "credentials", look: async () => ({ status: "off", finding: "not_configured" }) }];
  const facts = once(() => readCalendarFacts(db));
  return [
    { name: "credentials", look: async () => accountsFound(await facts()) },
    { name: "lastSync", look: async () => syncFound(await facts()) },
    { name: "outbox", look: async () => judgeOutbox((await facts()).outbox) },
  ];
}
