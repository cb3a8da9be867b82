import { readAttendees } from "@portal/contract/attendees";
import type { CalendarType, Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import { readWebAddress } from "@portal/contract/web-address";
import { addMinutes } from "date-fns/addMinutes";
import { differenceInMinutes } from "date-fns/differenceInMinutes";
import { instantsOf, wallTime } from "./meeting-values.ts";

const minuteMs = 60_000;

/** Who a meeting is with. */
export interface MeetingLead {
  id: number;
  name: string;
  email?: string | null;
  /** Of their clock, IANA; null where it is not known. */
  timeZone?: string | null;
}

/** What stands in the dialog. */
export interface MeetingDraft {
  title: string;
  description: string;
  /** '' until chosen; of the browser's zone. */
  day: string;
  time: string;
  /** Which of the two, where the clock shows this time twice. */
  second: boolean;
  minutes: number;
  lead: MeetingLead | null;
  calendarType: CalendarType;
  meetingLink: string;
  attendeeEmails: string;
  wantsMeetLink: boolean;
}

const sameMinute = (one: string, other: string) =>
  Math.floor(Date.parse(one) / minuteMs) === Math.floor(Date.parse(other) / minuteMs);

/** What stands there at first: the meeting, or the recorded defaults; after a call the title and the lead as a guest too. */
export function draftOf(
  meeting: Meeting | null,
  lead: MeetingLead | null,
  zone: string,
  title: string | null = null,
): MeetingDraft {
  if (!meeting) {
    return {
      title: title ?? "",
      description: "",
      day: "",
      time: "",
      second: false,
      minutes: limits.meetingDefaultMinutes,
      lead,
      calendarType: "google",
      meetingLink: "",
      attendeeEmails: (title !== null && lead?.email) || "",
      wantsMeetLink: false,
    };
  }
  const wall = wallTime(meeting.startTime, zone);
  const instants = instantsOf(wall, zone);
  return {
    title: meeting.title,
    description: meeting.description ?? "",
    ...wall,
    second: instants[1] !== undefined && sameMinute(instants[1].toISOString(), meeting.startTime),
    minutes: differenceInMinutes(meeting.endTime, meeting.startTime),
    lead: meeting.leadId === null ? null : { id: meeting.leadId, name: meeting.leadName ?? "" },
    calendarType: meeting.calendarType,
    meetingLink: meeting.meetingLink ?? "",
    attendeeEmails: meeting.attendeeEmails ?? "",
    wantsMeetLink: meeting.wantsMeetLink,
  };
}

export interface DraftTimes {
  /** The instants that the chosen clock time may mean: none over the March gap, two in a November night. */
  instants: Date[];
  /** Null until day and time are chosen, and where the time does not exist. */
  start: Date | null;
  end: Date | null;
}

/** When the meeting of a draft begins and ends: end = start + duration. */
export function timesOf(draft: MeetingDraft, zone: string): DraftTimes {
  const instants = instantsOf(draft, zone);
  const start = instants[draft.second ? instants.length - 1 : 0] ?? null;
  return { instants, start, end: start && addMinutes(start, draft.minutes) };
}

/** Which required fields are empty. */
export function missingFields(draft: MeetingDraft): Set<"title" | "day" | "time"> {
  return new Set((["title", "day", "time"] as const).filter((field) => draft[field].trim() === ""));
}

/** Whether the link is one that a browser may open; none is needed. */
export function hasGoodLink({ meetingLink }: MeetingDraft): boolean {
  return meetingLink.trim() === "" || readWebAddress(meetingLink) !== null;
}

/** What is sent of a draft, by the names of the API. */
export interface MeetingBody {
  title: string;
  description: string | null;
  startTime: string;
  endTime: string;
  timeZone: string;
  leadId: number | null;
  calendarType: CalendarType;
  meetingLink: string | null;
  attendeeEmails: string | null;
  wantsMeetLink: boolean;
}

/** The whole meeting of a complete draft. */
export function bodyOf(draft: MeetingDraft, times: { start: Date; end: Date }, zone: string): MeetingBody {
  return {
    title: draft.title.trim(),
    description: draft.description.trim() || null,
    startTime: times.start.toISOString(),
    endTime: times.end.toISOString(),
    timeZone: zone,
    leadId: draft.lead?.id ?? null,
    calendarType: draft.calendarType,
    meetingLink: draft.meetingLink.trim() || null,
    attendeeEmails: readAttendees(draft.attendeeEmails).emails.join(", ") || null,
    wantsMeetLink: draft.calendarType === "google" && draft.wantsMeetLink,
  };
}

/**
 * What differs from the meeting as it was opened, so that nothing is written over that changed meanwhile; the zone goes along with
 * other times only.
 */
export function changesOf(body: MeetingBody, meeting: Meeting): Partial<MeetingBody> {
  const { timeZone, ...rest } = body;
  const names = Object.keys(rest) as (keyof typeof rest)[];
  // The dialog shows minutes: seconds that a meeting has from elsewhere are no change.
  const changed = names.filter((name) =>
    name === "startTime" || name === "endTime"
      ? !sameMinute(rest[name], meeting[name])
      : rest[name] !== meeting[name],
  );
  const changes = Object.fromEntries(changed.map((name) => [name, rest[name]])) as Partial<MeetingBody>;
  return "startTime" in changes || "endTime" in changes ? { ...changes, timeZone } : changes;
}
