import { readAttendees } from "@portal/contract/attendees";
import type { meetings } from "../../../platform/db/schema/meetings.ts";
import type { CalendarEvent, ConferenceState, EventFields, EventWrite } from "../../../ports/calendar.ts";

export type MeetingRow = typeof meetings.$inferSelect;
/** An event as Google last had it: the common ancestor of changes on both sides. */
export type Base = EventFields & { conference: ConferenceState };

type Name = keyof EventFields;
const allNames: Name[] = ["title", "description", "startTime", "endTime", "timeZone", "attendees", "link"];
const timeNames: Name[] = ["startTime", "endTime", "timeZone"];

/** A meeting's fields by the names of calendar events. */
export function fieldsOfMeeting(row: MeetingRow): EventFields {
  return {
    title: row.title,
    description: row.description,
    startTime: row.startsAt.toISOString(),
    endTime: row.endsAt.toISOString(),
    timeZone: row.timeZone,
    attendees: readAttendees(row.attendeeEmails ?? "").emails,
    link: row.meetingLink,
  };
}

/** Columns of a meeting from an event's fields. */
export function columnsOf(fields: EventFields) {
  return {
    title: fields.title,
    description: fields.description,
    startsAt: new Date(fields.startTime),
    endsAt: new Date(fields.endTime),
    timeZone: fields.timeZone,
    attendeeEmails: fields.attendees.length > 0 ? fields.attendees.join(", ") : null,
    meetingLink: fields.link,
  };
}

/** The stored base of a meeting; null if Google is not known to have the event. */
export function baseOf(row: Pick<MeetingRow, "googleBase">): Base | null {
  return row.googleBase as Base | null;
}

/** The base to store for an event; null for one without fields. */
export function toBase({ fields, conference }: CalendarEvent): Record<string, unknown> | null {
  return fields && ({ ...fields, conference } satisfies Base);
}

function plain(value: EventFields[Name]): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(value.map((one) => one.toLowerCase()).sort());
}

/** Names of the fields in which two versions differ; the order of attendees does not matter. */
export function differingNames(one: EventFields, other: EventFields): Name[] {
  return allNames.filter((name) => plain(one[name]) !== plain(other[name]));
}

/** Three-way merge: a field that changed here since `base` stays, every other one takes Google's value. */
export function mergeFields({
  base,
  local,
  remote,
}: {
  base: EventFields;
  local: EventFields;
  remote: EventFields;
}): EventFields {
  const ours = differingNames(base, local);
  // Start, end and zone are merged as one, as a mix of both sides would be a time that nobody chose.
  const timed = ours.some((name) => timeNames.includes(name));
  const kept = timed ? [...ours, ...timeNames] : ours;
  return { ...remote, ...pick(local, kept) };
}

function pick(fields: EventFields, names: Name[]): Partial<EventFields> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function planConference(row: MeetingRow, base: Base | null): EventWrite["conference"] {
  const there = base?.conference === "made" || base?.conference === "pending";
  if (row.wantsMeetLink) return there ? "keep" : "make";
  return there ? "drop" : "keep";
}

/** What to send to Google: only what changed here since Google's version. Null if nothing changed. */
export function planWrite(row: MeetingRow, now: Date): EventWrite | null {
  const base = baseOf(row);
  const local = fieldsOfMeeting(row);
  const conference = planConference(row, base);
  const changed = base ? differingNames(base, local) : allNames;
  const timed = changed.some((name) => timeNames.includes(name));
  // Google sets the link of a conference itself.
  const names = (timed ? [...changed, ...timeNames] : changed).filter(
    (name) => name !== "link" || !row.wantsMeetLink,
  );
  if (base && names.length === 0 && conference === "keep") return null;
  const guests = local.attendees.length + (base?.attendees.length ?? 0);
  return {
    fields: pick(local, names),
    conference,
    conferenceRef: `portal-${row.id}-${row.version}`,
    notify: guests > 0 && row.endsAt > now,
  };
}
