import type { Found } from "./check.ts";
import type { OutboxFacts } from "./data.ts";

const slowMs = 15 * 60_000;
const stuckMs = 60 * 60_000;

/** What it means that changes wait for a provider, or were refused by it. */
export function judgeOutbox({ pending, failed, oldestPendingAt }: OutboxFacts): Found {
  const seen = { values: { count: pending, failed }, at: oldestPendingAt };
  const sinceMs = oldestPendingAt ? Date.now() - oldestPendingAt.getTime() : 0;
  if (sinceMs > stuckMs) return { status: "fail", finding: "stuck", ...seen };
  if (failed > 0) return { status: "warn", finding: "changes_failed", ...seen };
  if (sinceMs > slowMs) return { status: "warn", finding: "slow", ...seen };
  return { status: "ok", finding: pending > 0 ? "waiting" : "nothing_waits", ...seen };
}
