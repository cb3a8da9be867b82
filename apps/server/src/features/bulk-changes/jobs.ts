import type { Tx } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/scheduler.ts";
import { findLeadsForUpdate } from "../leads/lead-repository.ts";
import { moveMeetings } from "../meetings/move-meetings.ts";
import {
  claimChange,
  findChange,
  holdChange,
  listItems,
  listLeadsWithMeetings,
  recordMeetings,
  setNext,
} from "./repository.ts";
import { sendNextSms } from "./send-bulk-sms.ts";
import type { BulkContext } from "./types.ts";

/** The meetings with the leads of an act follow them to whoever has them by now; those of leads that were taken back stay. */
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

/** Goes on with acts that are due: one text each, or their meetings. Any process may do it; an act is with one at a time. */
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
      // It is due again in a minute; the others do not wait for it.
      log.error({ err, bulkChangeId: due.id }, "act on many leads not worked");
    }
  }
}

const dueMs = 1_000;

/** Begins the scheduled task that sends the texts of acts and moves their meetings. */
export function startBulkJobs(context: BulkContext, scheduler: Scheduler): void {
  scheduler.every(dueMs, () => workChanges(context));
}
