import type { Lead } from "@portal/contract/entities/lead";
import { formatTime, formatTimeIn } from "./format.ts";

/** Where a follow-up date stands against today, both as days of the browser's zone. */
export type FollowUpState = "overdue" | "today" | "upcoming";

export function followUpState(nextFollowUpDate: string, now: Date): FollowUpState {
  const day = startOfDay(new Date(nextFollowUpDate)).getTime();
  const today = startOfDay(now).getTime();
  if (day === today) return "today";
  return day < today ? "overdue" : "upcoming";
}

/** The instant stored for a chosen day: its noon here, so that a neighbouring zone reads the same day. */
export function followUpInstant(day: Date): string {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 12).toISOString();
}

export function startOfDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Whether two instants, or two absences, fall on the same day here. */
export function sameFollowUpDay(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return startOfDay(new Date(one)).getTime() === startOfDay(new Date(other)).getTime();
}

/** The zone of this browser, by its IANA name. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A follow-up as it is chosen: its day as an instant of it, and perhaps a time on the clocks of a zone. */
export interface FollowUpChoice {
  readonly date: string;
  readonly time: string | null;
  readonly zone: string | null;
}

/** The follow-up of a lead as a choice; null where there is none. */
export function followUpOf(lead: KeptFollowUp): FollowUpChoice | null {
  const { nextFollowUpDate: date, nextFollowUpTime: time, nextFollowUpZone: zone } = lead;
  return date === null ? null : { date, time, zone };
}

type KeptFollowUp = Pick<Lead, "nextFollowUpDate" | "nextFollowUpTime" | "nextFollowUpZone">;

/** What is sent for a choice: what differs from the lead's follow-up; nothing where it stays as it is (undefined). */
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

/** When a follow-up is due by its time, '10:00 AM'; where its zone's clocks differ from here, '11:00 AM (10:00 AM EST)'. */
export function clockAt(at: Date | string, zone: string): string {
  const here = formatTime(at);
  return formatTimeIn(at, zone) === here ? here : `${here} (${formatTimeIn(at, zone, true)})`;
}

/** The same of a lead's follow-up, as the server reckons it; null without a time. */
export function leadFollowUpClock(lead: Pick<Lead, "nextFollowUpAt" | "nextFollowUpZone">): string | null {
  const { nextFollowUpAt: at, nextFollowUpZone: zone } = lead;
  return at && zone ? clockAt(at, zone) : null;
}
