import { readAttendees } from "@portal/contract/attendees";
import type { CalendarType, Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import { readWebAddress } from "@portal/contract/web-address";
import { addMinutes } from "date-fns/addMinutes";
import { differenceInMinutes } from "date-fns/differenceInMinutes";
import { instantsOf, wallTime } from "./meeting-values.ts";

const minuteMs = 60_000;

/** The lead of a meeting. */
export interface MeetingLead {
  id: number;
  name: string;
  email?: string | null;
  /** The lead's IANA zone; null if unknown. */
  timeZone?: string | null;
}

/** Input of the meeting form. */
export interface MeetingDraft {
  title: string;
  description: string;
  /** '' until chosen; in the browser's zone. */
  day: string;
  time: string;
  /** Which of the two instants, if daylight saving time repeats this time. */
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

/** The initial input: the meeting, or the recorded defaults; from a call also the title and the lead as a guest. */
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
  /** Instants of the chosen local time: none if daylight saving time skips it, two if it repeats it. */
  instants: Date[];
  /** Null until day and time are chosen, and if the time does not exist. */
  start: Date | null;
  end: Date | null;
}

/** Start and end of the draft's meeting: end = start + duration. */
export function timesOf(draft: MeetingDraft, zone: string): DraftTimes {
  const instants = instantsOf(draft, zone);
  const start = instants[draft.second ? instants.length - 1 : 0] ?? null;
  return { instants, start, end: start && addMinutes(start, draft.minutes) };
}

/** The required fields that are empty. */
export function missingFields(draft: MeetingDraft): Set<"title" | "day" | "time"> {
  return new Set((["title", "day", "time"] as const).filter((field) => draft[field].trim() === ""));
}

/** Whether the link can be opened; it is optional. */
export function hasGoodLink({ meetingLink }: MeetingDraft): boolean {
  return meetingLink.trim() === "" || readWebAddress(meetingLink) !== null;
}

/** The request's fields. */
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

/** The complete request for a draft. */
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
 * The fields that differ from the opened meeting, so that other changes made meanwhile are not overwritten; the zone is only sent with
 * changed times.
 */
export function changesOf(body: MeetingBody, meeting: Meeting): Partial<MeetingBody> {
  const { timeZone, ...rest } = body;
  const names = Object.keys(rest) as (keyof typeof rest)[];
  // The form has no seconds, so a difference of seconds is no change.
  const changed = names.filter((name) =>
    name === "startTime" || name === "endTime"
      ? !sameMinute(rest[name], meeting[name])
      : rest[name] !== meeting[name],
  );
  const changes = Object.fromEntries(changed.map((name) => [name, rest[name]])) as Partial<MeetingBody>;
  return "startTime" in changes || "endTime" in changes ? { ...changes, timeZone } : changes;
}
