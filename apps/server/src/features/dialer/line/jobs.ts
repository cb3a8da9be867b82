import { databaseNow } from "../../../platform/db/clock.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { areFactsOld } from "../../contact-policy/repository.ts";
import type { LineRow } from "../../telephony/outbound/line-repository.ts";
import { matchLostLeg } from "../../telephony/outbound/match-lost-leg.ts";
import type { DialerContext } from "../types.ts";
import { moveLine, reportLeg } from "./move-line.ts";
import { claimSilentLines, findSessionsOnLine, listAhead } from "./repository.ts";
import { lineInbox } from "./webhook-routes.ts";

const roundMs = 2_000;
const silentMs = 3_000;

const texts = { notPlaced: "The call was not placed. You can try again." };

/** Reads the state of a line without callbacks from the provider. */
async function askAbout(context: DialerContext, telephony: Telephony, line: LineRow): Promise<void> {
  const leg = line.callSid
    ? await telephony.findLeg(line.callSid)
    : await matchLostLeg(context.calls, telephony, { line });
  if (leg) return reportLeg(context, line.id, { status: leg.status, sid: leg.sid });
  const waited = databaseNow() - (line.askedAt ?? line.startedAt).getTime();
  if (line.callSid) await reportLeg(context, line.id, { status: "completed" });
  else if (waited > context.calls.timings.giveUpMs)
    await reportLeg(context, line.id, { status: "refused", failure: texts.notPlaced });
}

/** Asks the provider about lines without a request or callback for too long; one process asks about a line at a time. */
async function reconcileLines(context: DialerContext, silenceMs: number): Promise<void> {
  const { telephony, timings } = context.calls;
  if (!telephony) return;
  for (const line of await claimSilentLines(context.database.db, { ...timings, silenceMs })) {
    try {
      await askAbout(context, telephony, line);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ lineId: line.id, kind: error.kind }, "provider could not be asked about a line");
    }
  }
}

/** A line that waits for a key asks every minute; without a request for longer it is checked. */
const lineSilenceMs = 90_000;

const readAheadOf = 3;

/** Reads upcoming leads from the CRM in advance if their data is old, so that no call waits for it. */
function createReadAhead({ database: { db }, calls: { readLeadAgain } }: DialerContext) {
  const reading = new Set<number>();
  return async (sessionId: number) => {
    if (!readLeadAgain) return;
    for (const leadId of await listAhead(db, sessionId, readAheadOf)) {
      if (reading.has(leadId) || !(await areFactsOld(db, leadId))) continue;
      reading.add(leadId);
      await readLeadAgain(leadId).finally(() => reading.delete(leadId));
    }
  };
}

/**
 * Starts the scheduled tasks of lines: continues lines when their sessions change, does what a process that died left undone, and asks
 * about silent lines, at the start about all.
 */
export function startLineJobs(context: DialerContext): void {
  const { scheduler, events } = context;
  const { telephony } = context.calls;
  if (!telephony) return;
  const round = async () => {
    for (const id of await findSessionsOnLine(context.database.db)) await moveLine(context, id);
  };
  const readAhead = createReadAhead(context);
  let started = false;
  scheduler.every(roundMs, round);
  scheduler.every(roundMs, lineInbox(context, telephony).work);
  scheduler.every(silentMs, async () => {
    await reconcileLines(context, started ? lineSilenceMs : 0);
    started = true;
  });
  events.onEvent(({ topic, id }) => {
    if (topic !== "dialer") return;
    scheduler.once(() => moveLine(context, id));
    scheduler.once(() => readAhead(id));
  });
}
