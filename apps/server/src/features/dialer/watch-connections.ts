import { settleAdminAlert } from "../notifications/admin-alerts.ts";
import { hasCallAlarm, settleCallAlarms } from "../telephony/outbound/call-alarms.ts";
import { findActiveSessions, lockSession } from "./session-repository.ts";
import { applyStep } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/**
 * Where calls under our number can no longer be connected, pauses the sessions that run and tells administrators, once; each session goes on when
 * its consultant resumes it. One transaction, and one process of those that look at the same time.
 */
export async function watchConnections(context: DialerContext): Promise<void> {
  const { telephony } = context.calls;
  if (!telephony) return;
  await context.database.transaction(async (tx) => {
    const { raised, ended } = await settleCallAlarms(tx, telephony.callerId);
    if (!raised && !ended) return;
    for (const id of raised ? await findActiveSessions(tx) : []) {
      const row = await lockSession(tx, { id });
      // Nobody is rung for it any more; a call that is under way goes on.
      if (row) await applyStep(tx, row, { type: "pause", reason: "not_connecting" });
    }
    await settleAdminAlert(tx, context.notifications, {
      kind: "calls_not_connected",
      isOpen: () => hasCallAlarm(tx),
    });
  });
}
