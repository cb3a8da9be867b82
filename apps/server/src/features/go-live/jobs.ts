import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Telephony } from "../../ports/telephony.ts";
import { type GoLiveContext, updateFacts } from "./make-test-call.ts";
import { listSilentTestCalls, type TestCallRow } from "./repository.ts";

/**
 * After which time the provider is asked about a test call without events, and after which no more events are expected, in milliseconds.
 */
export interface TestCallTimings {
  silenceMs: number;
  giveUpMs: number;
}

const usual: TestCallTimings = { silenceMs: 20_000, giveUpMs: 180_000 };
const roundMs = 5_000;

async function ask(
  context: GoLiveContext,
  telephony: Telephony,
  { call: { id, callSid, askedAt }, giveUpMs }: { call: TestCallRow; giveUpMs: number },
): Promise<void> {
  try {
    const leg = callSid && (await telephony.findLeg(callSid));
    // The call ended without any callback from the provider: callbacks do not reach the portal.
    if (leg) await updateFacts(context, id, { leg: leg.status });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ testCallId: id, kind: error.kind }, "a test call could not be asked about");
  }
  if (Date.now() - askedAt.getTime() > giveUpMs) await updateFacts(context, id, { isOver: true });
}

/** Asks the provider about test calls without callbacks: the route that is tested may be the one that is broken. */
export async function checkTestCalls(context: GoLiveContext, { silenceMs, giveUpMs } = usual): Promise<void> {
  const { telephony, database } = context;
  if (!telephony) return;
  const calls = await listSilentTestCalls(database.db, new Date(Date.now() - silenceMs));
  for (const call of calls) await ask(context, telephony, { call, giveUpMs });
}

/** Schedules the check in this process. */
export function startGoLiveJobs(context: GoLiveContext, scheduler: Scheduler): void {
  if (context.telephony) scheduler.every(roundMs, () => checkTestCalls(context));
}
