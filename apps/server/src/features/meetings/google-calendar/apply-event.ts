import type { Tx } from "../../../platform/db/client.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarEvent, EventFields } from "../../../ports/calendar.ts";
import { recordLeadEvent } from "../../activity/service.ts";
import {
  baseOf,
  columnsOf,
  differingNames,
  fieldsOfMeeting,
  type MeetingRow,
  mergeFields,
  toBase,
} from "./merge.ts";
import { writeMeeting } from "./repository.ts";

const noLink = "Google could not make a Meet link.";

/**
 * Merges Google's version of an event into a locked meeting: fields that changed here since stay and remain to be sent, the others become
 * Google's. After a push, `ancestor` is what was sent and `pushedVersion` its version.
 */
export async function applyEvent(
  tx: Tx,
  input: { row: MeetingRow; event: CalendarEvent; ancestor?: EventFields; pushedVersion?: number },
): Promise<void> {
  const { row, event, ancestor, pushedVersion } = input;
  const base = toBase(event);
  const local = fieldsOfMeeting(row);
  // A meeting that became an all-day event in Google keeps its time here.
  const remote = event.fields ?? baseOf(row) ?? local;
  const waits = row.version > (pushedVersion ?? row.pushedVersion);
  const common = ancestor ?? baseOf(row);
  // Without a common version (the answer to an insert was lost) the local fields are what Google should have.
  const fields = common ? mergeFields({ base: common, local, remote }) : waits ? local : remote;
  const failed = row.wantsMeetLink && event.conference === "failed";
  const isMaking = row.wantsMeetLink && event.conference === "pending";
  await writeMeeting(tx, row.id, {
    ...columnsOf(fields),
    // A conference added or removed in Google sets whether one is wanted.
    ...(!waits &&
      !failed &&
      event.conference !== "pending" && { wantsMeetLink: event.conference === "made" }),
    googleEtag: event.etag,
    transparent: event.busy === null,
    googleBase: base ?? row.googleBase,
    ...(pushedVersion !== undefined && { pushedVersion }),
    ...(!waits && {
      sync: isMaking ? ("pending" as const) : ("synced" as const),
      syncError: failed ? noLink : null,
    }),
  });
  const changed = differingNames(local, fields);
  if (changed.length > 0 && pushedVersion === undefined && row.leadId !== null) {
    const valuesOf = (from: EventFields) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordLeadEvent(tx, {
      leadId: row.leadId,
      userId: null,
      kind: "meeting-changed",
      data: {
        meetingId: row.id,
        title: fields.title,
        by: "google",
        before: valuesOf(local),
        after: valuesOf(fields),
      },
    });
  }
  await publishEvent(tx, { topic: "meeting", id: row.id, audience: [row.userId] });
}
