import type { Lead } from "@portal/contract/entities/lead";
import { formatTime, formatTimeIn } from "./format.ts";

/** A follow-up date relative to today, both as days in the browser's zone. */
export type FollowUpState = "overdue" | "today" | "upcoming";

export function followUpState(nextFollowUpDate: string, now: Date): FollowUpState {
  const day = startOfDay(new Date(nextFollowUpDate)).getTime();
  const today = startOfDay(now).getTime();
  if (day === today) return "today";
  return day < today ? "overdue" : "upcoming";
}

/** The instant stored for a chosen day: noon in the browser's zone, so that neighbouring zones show the same day. */
export function followUpInstant(day: Date): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 12).toISOString();
}

export function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Whether two instants fall on the same day in the browser's zone; two missing ones count as the same. */
export function sameFollowUpDay(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return startOfDay(new Date(one)).getTime() === startOfDay(new Date(other)).getTime();
}

/** The zone of this browser, by its IANA name. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A chosen follow-up: an instant within its day, and optionally a time in a zone. */
export interface FollowUpChoice {
  readonly date: string;
  readonly time: string | null;
  readonly zone: string | null;
}

/** A lead's follow-up as a choice, or null. */
export function followUpOf(lead: KeptFollowUp): FollowUpChoice | null {
  const { nextFollowUpDate: date, nextFollowUpTime: time, nextFollowUpZone: zone } = lead;
  return date === null ? null : { date, time, zone };
}

type KeptFollowUp = Pick<Lead, "nextFollowUpDate" | "nextFollowUpTime" | "nextFollowUpZone">;

/** The fields of a request for a choice: those that differ from the current follow-up. `undefined` changes nothing. */
export function followUpChange(choice: FollowUpChoice | null | undefined, current: FollowUpChoice | null) {
  if (choice === undefined) return {};
  if (choice === null) return current === null ? {} : { nextFollowUpDate: null };
  const { date, time, zone } = choice;
  const isTimed = time !== (current?.time ?? null) || (time !== null && zone !== current?.zone);
  return {
    ...(date !== current?.date && { nextFollowUpDate: date }),
    ...(isTimed && { nextFollowUpTime: time, nextFollowUpZone: time === null ? null : zone }),
  };
}

/** A due time, '10:00 AM'; if the zone's time differs from the browser's, '11:00 AM (10:00 AM EST)'. */
export function clockAt(at: Date | string, zone: string): string {
  const here = formatTime(at);
  return formatTimeIn(at, zone) === here ? here : `${here} (${formatTimeIn(at, zone, true)})`;
}

/** The due time of a lead's follow-up as the server computed it; null without a time. */
export function leadFollowUpClock(lead: Pick<Lead, "nextFollowUpAt" | "nextFollowUpZone">): string | null {
  const { nextFollowUpAt: at, nextFollowUpZone: zone } = lead;
  return at && zone ? clockAt(at, zone) : null;
}
