import type { Database, Tx } from "../../../platform/db/client.ts";
import { inBatches } from "../../../platform/db/in-batches.ts";
import { type Audience, publishEvent } from "../../../platform/realtime/publish.ts";
import type { CallRow } from "../outbound/repository.ts";
import { lockLogOfCall, updateLog } from "./log-repository.ts";
import {
  deleteReport,
  insertReport,
  insertReports,
  lockReport,
  lockSid,
  type Report,
  type Reported,
} from "./report-repository.ts";

export type ReportWriter = (report: Report) => Promise<Reported>;

/** Saves reports of calls whose outcomes change nothing else, together with those of others at that moment. */
export function createReportWriter({ db, retried }: Pick<Database, "db" | "retried">): ReportWriter {
  const insert = inBatches(
    (reports: readonly Report[]) => retried(() => insertReports(db, reports, "skip")),
    (report) => report.clientRef ?? report,
  );
  return async (report) => {
    const reported = await insert(report);
    if (reported.knownId !== null || reported.leadExists) return reported;
    // Somebody is writing that lead, or there is none: nobody else waits for it.
    return retried(() => insertReport(db, report));
  };
}

/** Both notes, where they are two. */
function joined(own: string | null, reported: string | null): string | null {
  if (!own || !reported || own === reported) return own ?? reported;
  return `${own}\n${reported}`;
}

/**
 * What the call's consultant reported of its lead under its sid, before the call was known to have that sid, becomes the call's log. Of two
 * outcomes the one that was said later holds. Reports of others, or of another lead, stay apart.
 */
export async function joinReport(
  tx: Tx,
  call: CallRow & { callSid: string },
  audience: Audience,
): Promise<void> {
  await lockSid(tx, call.callSid);
  const report = await lockReport(tx, call);
  if (!report) return;
  const own = await lockLogOfCall(tx, call.id);
  if (own) {
    const later =
      own.confirmedAt && report.confirmedAt && own.confirmedAt > report.confirmedAt ? own : report;
    await deleteReport(tx, report.id);
    await updateLog(tx, own.id, {
      outcome: later.outcome,
      confirmed: true,
      confirmedAt: later.confirmedAt,
      notes: joined(own.notes, report.notes),
      clientRef: report.clientRef,
    });
  } else {
    await updateLog(tx, report.id, { callId: call.id, callDate: call.requestedAt });
  }
  await publishEvent(tx, { topic: "call-log", id: own?.id ?? report.id, audience });
  // Its last attempt may be another.
  await publishEvent(tx, { topic: "lead", id: call.leadId, audience });
}
