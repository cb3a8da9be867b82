import type { Tx } from "../../db/client.ts";
import type { meetings } from "../../db/schema/meetings.ts";
import type { LeadEventKind } from "../timeline/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import type { MeetingFields } from "./meeting-fields.ts";

type Row = typeof meetings.$inferSelect;

/** What a timeline tells of a meeting, by the API's names. */
function told(fields: MeetingFields, names: readonly (keyof MeetingFields)[]): Record<string, unknown> {
  const api: Partial<Record<keyof MeetingFields, string>> = { startsAt: "startTime", endsAt: "endTime" };
  return Object.fromEntries(names.map((name) => [api[name] ?? name, fields[name]]));
}

const times = ["startsAt", "endsAt"] as const;

/** Writes onto the lead's timeline what became of a meeting with it; a meeting without a lead writes nothing. */
export async function recordMeetingEvent(
  tx: Tx,
  event: {
    kind: Extract<LeadEventKind, `meeting-${string}`>;
    userId: number;
    leadId: number | null;
    meetingId: number;
    before: Row | null;
    after: Row | null;
    /** The fields that changed; the times where none are named. */
    names?: readonly (keyof MeetingFields)[];
  },
): Promise<void> {
  const { kind, userId, leadId, meetingId, before, after, names = times } = event;
  if (leadId === null) return;
  const data = {
    meetingId,
    title: (after ?? before)?.title,
    ...(before && { before: told(before, names) }),
    ...(after && { after: told(after, names) }),
  };
  await recordLeadEvent(tx, { leadId, userId, kind, data });
}
