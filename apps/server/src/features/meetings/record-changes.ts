import { readAttendees } from "@portal/contract/attendees";
import type { CalendarType } from "@portal/contract/entities/meeting";
import { readWebAddress } from "@portal/contract/web-address";
import { DateTime, IANAZone } from "luxon";
import type { Tx } from "../../platform/db/client.ts";
import type { meetings } from "../../platform/db/schema/meetings.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { type LeadEventKind, recordLeadEvent } from "../activity/service.ts";

/** Fields of a meeting in a request; omitted fields stay unchanged. */
export interface MeetingInput {
  title?: string | undefined;
  description?: string | null | undefined;
  startTime?: string | undefined;
  endTime?: string | undefined;
  timeZone?: string | undefined;
  leadId?: number | null | undefined;
  calendarType?: CalendarType | undefined;
  meetingLink?: string | null | undefined;
  attendeeEmails?: string | null | undefined;
  wantsMeetLink?: boolean | undefined;
}

type Row = typeof meetings.$inferSelect;
/** Columns that a person sets. */
export type MeetingFields = Pick<
  Row,
  | "title"
  | "description"
  | "startsAt"
  | "endsAt"
  | "timeZone"
  | "leadId"
  | "calendarType"
  | "meetingLink"
  | "attendeeEmails"
  | "wantsMeetLink"
>;

const longestMs = 24 * 3_600_000;
/** A browser's clock may be behind by this much when its day begins. */
const clockTolerance = { minutes: 5 };

const refuse = (message: string) => new AppError("invalid", message);
const words = (value: string | null) => value?.trim() || null;

function titleOf(typed: string): string {
  const title = typed.trim();
  if (title === "") throw refuse("title: enter a title");
  return title;
}

function attendeesOf(typed: string | null): string | null {
  const { emails, bad } = readAttendees(typed ?? "");
  if (bad.length > 0) throw refuse(`attendeeEmails: ${bad.join(", ")} is not a valid email address`);
  return emails.length > 0 ? emails.join(", ") : null;
}

function linkOf(typed: string | null): string | null {
  const link = words(typed);
  if (link === null) return null;
  const address = readWebAddress(link);
  if (address === null) throw refuse("meetingLink: enter an address that begins with https://");
  return address;
}

function zoneOf(name: string): string {
  // Only zone names are accepted: an offset would be wrong for half of the year where there is daylight saving time.
  if (!/^[A-Za-z]/.test(name) || !IANAZone.isValidZone(name)) throw refuse("timeZone: not a time zone");
  return name;
}

function checkTimes({ startsAt, endsAt, timeZone }: MeetingFields, startChanged: boolean): void {
  if (endsAt <= startsAt) throw refuse("endTime: the meeting must end after it starts");
  if (endsAt.getTime() - startsAt.getTime() > longestMs)
    throw refuse("endTime: a meeting lasts at most 24 hours");
  const today = DateTime.now().minus(clockTolerance).setZone(timeZone).startOf("day");
  if (startChanged && startsAt.getTime() < today.toMillis())
    throw refuse("startTime: the date cannot be in the past");
}

/**
 * The meeting's columns after the input, trimmed and validated. `before` is the current meeting. Errors: `invalid`, which names the field
 * and each invalid address.
 */
export function fieldsOf(input: MeetingInput, before: MeetingFields): MeetingFields {
  const { title, description, startTime, endTime, timeZone, meetingLink, attendeeEmails } = input;
  const fields: MeetingFields = {
    title: title === undefined ? before.title : titleOf(title),
    description: description === undefined ? before.description : words(description),
    startsAt: startTime === undefined ? before.startsAt : new Date(startTime),
    endsAt: endTime === undefined ? before.endsAt : new Date(endTime),
    timeZone: timeZone === undefined ? before.timeZone : zoneOf(timeZone),
    leadId: input.leadId === undefined ? before.leadId : input.leadId,
    calendarType: input.calendarType ?? before.calendarType,
    // An unchanged link is not validated: it may come from Google or from an older version.
    meetingLink:
      meetingLink === undefined || meetingLink === before.meetingLink
        ? before.meetingLink
        : linkOf(meetingLink),
    attendeeEmails: attendeeEmails === undefined ? before.attendeeEmails : attendeesOf(attendeeEmails),
    wantsMeetLink: input.wantsMeetLink ?? before.wantsMeetLink,
  };
  const moved = fields.startsAt.getTime() !== before.startsAt.getTime();
  // Meetings from Google may last longer, so only changed times are validated.
  if (moved || fields.endsAt.getTime() !== before.endsAt.getTime()) checkTimes(fields, moved);
  return fields;
}

/** Names of the fields that differ. */
export function differences(before: MeetingFields, after: MeetingFields): (keyof MeetingFields)[] {
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  return (Object.keys(after) as (keyof MeetingFields)[]).filter(
    (name) => plain(before[name]) !== plain(after[name]),
  );
}

/** Data of a meeting's timeline entry, with the API's field names. */
function timelineValues(
  fields: MeetingFields,
  names: readonly (keyof MeetingFields)[],
): Record<string, unknown> {
  const api: Partial<Record<keyof MeetingFields, string>> = { startsAt: "startTime", endsAt: "endTime" };
  return Object.fromEntries(names.map((name) => [api[name] ?? name, fields[name]]));
}

const times = ["startsAt", "endsAt"] as const;

/** Adds a timeline entry about a meeting to its lead; does nothing for a meeting without a lead. */
export async function recordMeetingEvent(
  tx: Tx,
  event: {
    kind: Extract<LeadEventKind, `meeting-${string}`>;
    userId: number;
    leadId: number | null;
    meetingId: number;
    before: Row | null;
    after: Row | null;
    /** Changed fields; the times if omitted. */
    names?: readonly (keyof MeetingFields)[];
  },
): Promise<void> {
  const { kind, userId, leadId, meetingId, before, after, names = times } = event;
  if (leadId === null) return;
  const data = {
    meetingId,
    title: (after ?? before)?.title,
    ...(before && { before: timelineValues(before, names) }),
    ...(after && { after: timelineValues(after, names) }),
  };
  await recordLeadEvent(tx, { leadId, userId, kind, data });
}
