import type { BulkReason } from "@portal/contract/entities/bulk-change";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { getUser } from "../identity/users/service.ts";
import { findLeadsForUpdate } from "../leads/lead-repository.ts";
import { moveMeetings } from "../meetings/service.ts";
import { findByRef } from "../sms/message-repository.ts";
import { decideFate, type SmsFate } from "../sms/policy.ts";
import { sendSms } from "../sms/send-message.ts";
import type { BulkContext } from "./change-leads.ts";
import {
  type ChangeRow,
  claimChange,
  claimSms,
  findChange,
  holdChange,
  listItems,
  listLeadsWithMeetings,
  moveItems,
  putBack,
  recordMeetings,
  setNext,
} from "./repository.ts";

type Fate = SmsFate | { sent: true } | { leftOut: BulkReason };

async function send(
  context: BulkContext,
  change: ChangeRow,
  { leadId, textRef }: { leadId: number; textRef: string },
): Promise<Fate> {
  const { db } = context.database;
  // The change was undone while a worker that died had claimed this text: it counts as sent if that worker had asked the provider.
  if (change.state === "undone")
    return (await findByRef(db, textRef)) ? { sent: true } : { waitMs: 0, isAnew: true };
  const user = await getUser(db, change.userId);
  if (!user || user.disabledAt !== null) return { leftOut: "account_closed" };
  const { id: userId, role, name, email } = user;
  const message = change.edit.kind === "text" ? change.edit.message : "";
  try {
    // With the same reference as before a restart, this returns the text that was requested then, and sends no second one.
    const text = await sendSms(context.sms, {
      actor: { sessionId: 0, userId, role, name, email },
      leadId,
      message,
      clientRef: textRef,
    });
    return text.status === "failed" ? { leftOut: "not_sent" } : { sent: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return decideFate(error, { since: change.at, againMs: context.timings.againMs });
  }
}

/**
 * Sends the next SMS of a bulk change, after checking the contact policy. Returns the milliseconds until the next one is due; null if there
 * is none.
 */
async function sendNextSms(context: BulkContext, change: ChangeRow): Promise<number | null> {
  const { db } = context.database;
  const item = await claimSms(db, change.id);
  if (!item) return null;
  const fate = await send(context, change, item);
  const move = { from: ["sending"] as const, leadIds: [item.leadId] };
  if ("sent" in fate) await moveItems(db, change.id, { ...move, to: "sent" });
  else if ("leftOut" in fate)
    await moveItems(db, change.id, { ...move, to: "left_out", reason: fate.leftOut });
  else if (fate.isAnew) await putBack(db, change.id, item.leadId);
  else await moveItems(db, change.id, { ...move, to: "waiting" });
  await publishEvent(db, { topic: "bulk-change", id: change.id, audience: [change.userId] });
  if ("waitMs" in fate) return fate.waitMs;
  // A skipped lead needs no pause.
  return "sent" in fate ? context.timings.textEveryMs : 0;
}

/** Moves the meetings with the leads of a bulk change to the current assignees; those of restored leads stay. */
async function moveAlong(tx: Tx, changeId: number): Promise<void> {
  if (!(await holdChange(tx, changeId))) return;
  const items = (await listItems(tx, changeId, ["changed", "spared"])).filter(
    ({ meetingIds }) => !meetingIds,
  );
  const leadIds = await listLeadsWithMeetings(
    tx,
    items.map(({ leadId }) => leadId),
  );
  for (const { id: leadId, assignedTo } of await findLeadsForUpdate(tx, leadIds)) {
    const from = items.find((item) => item.leadId === leadId)?.before?.assignedTo;
    if (typeof from !== "number" || assignedTo === null) continue;
    await recordMeetings(tx, changeId, leadId, await moveMeetings(tx, { leadId, from, to: assignedTo }));
  }
  await setNext(tx, changeId, null);
}

/**
 * Processes the due bulk changes: one text each, or their meetings. Any process may do it; each bulk change is claimed by one at a time.
 */
export async function workChanges(context: BulkContext): Promise<void> {
  const { database, log } = context;
  for (;;) {
    const due = await claimChange(database.db);
    if (!due) return;
    try {
      const change = await findChange(database.db, due.id, "everyone");
      if (change?.kind === "text") await setNext(database.db, due.id, await sendNextSms(context, change));
      else await database.transaction((tx) => moveAlong(tx, due.id));
    } catch (err) {
      // It is retried in a minute; the others are processed now.
      log.error({ err, bulkChangeId: due.id }, "act on many leads not worked");
    }
  }
}

const dueMs = 1_000;

/** Starts the scheduled task that sends the SMS of bulk changes and moves their meetings. */
export function startBulkJobs(context: BulkContext, scheduler: Scheduler): void {
  scheduler.every(dueMs, () => workChanges(context));
}
