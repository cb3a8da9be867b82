import type { Tx } from "../../../platform/db/client.ts";
import { type Audience, publishEvent } from "../../../platform/realtime/publish.ts";
import type { CallRow } from "../outbound/repository.ts";
import { lockLogOfCall, updateLog } from "./log-repository.ts";
import { deleteReport, lockReport, lockSid } from "./report-repository.ts";

/** Both notes, if they differ. */
function joined(own: string | null, reported: string | null): string | null {
  if (!own || !reported || own === reported) return own ?? reported;
  return `${own}\n${reported}`;
}

/**
 * Joins what the consultant reported under a sid, before the call was known to have it, into the call's log. Of two outcomes the later one
 * wins. Reports of other users or leads stay separate.
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
  // The lead's last attempt may have changed.
  await publishEvent(tx, { topic: "lead", id: call.leadId, audience });
}
