import { followUpInstantOf, followUpTimeText } from "@portal/contract/follow-up-time";
import type { leads } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { CrmChange } from "../crm-outbox/service.ts";

type Lead = typeof leads.$inferSelect;
type FollowUpField = "nextFollowUpDate" | "nextFollowUpTime" | "nextFollowUpZone" | "nextFollowUpAt";
/** A follow-up as a lead keeps it. */
export type FollowUp = Pick<Lead, FollowUpField>;

/** What is asked of a follow-up: what is left out stays, null takes away. */
export interface FollowUpInput {
  nextFollowUpDate?: string | null | undefined;
  nextFollowUpTime?: string | null | undefined;
  nextFollowUpZone?: string | null | undefined;
}

const noFollowUp: FollowUp = {
  nextFollowUpDate: null,
  nextFollowUpTime: null,
  nextFollowUpZone: null,
  nextFollowUpAt: null,
};

/** The follow-up after what is asked. Without a date there is none; the time goes with it. Errors: `invalid`. */
export function followUpAfter(before: FollowUp, input: FollowUpInput): FollowUp {
  const date =
    input.nextFollowUpDate === undefined
      ? before.nextFollowUpDate
      : input.nextFollowUpDate && new Date(input.nextFollowUpDate);
  if (!date) {
    if (input.nextFollowUpTime)
      throw new AppError("invalid", "nextFollowUpTime: a time needs a follow-up date.");
    return noFollowUp;
  }
  const time = input.nextFollowUpTime === undefined ? before.nextFollowUpTime : input.nextFollowUpTime;
  if (time === null) return { ...noFollowUp, nextFollowUpDate: date };
  const zone = input.nextFollowUpZone ?? before.nextFollowUpZone;
  if (zone === null) throw new AppError("invalid", "nextFollowUpZone: say on whose clocks the time is.");
  return {
    nextFollowUpDate: date,
    nextFollowUpTime: time,
    nextFollowUpZone: zone,
    nextFollowUpAt: followUpInstantOf(date, { time, zone }),
  };
}

const timeOf = ({ nextFollowUpTime: time, nextFollowUpZone: zone }: FollowUp) =>
  time && zone ? followUpTimeText({ time, zone }) : null;

/** What a changed follow-up says on the timeline, date and time each by itself, and to the CRM. */
export function followUpChanges(
  before: FollowUp,
  after: FollowUp,
): { events: { kind: "changed"; data: Record<string, unknown> }[]; crmChanges: CrmChange[] } {
  const sides = {
    nextFollowUpDate: [before, after].map(({ nextFollowUpDate }) => nextFollowUpDate?.toISOString() ?? null),
    nextFollowUpTime: [before, after].map(timeOf),
  };
  const changed = (["nextFollowUpDate", "nextFollowUpTime"] as const)
    .map((field) => ({ field, before: sides[field][0] ?? null, after: sides[field][1] ?? null }))
    .filter((change) => change.before !== change.after);
  return {
    events: changed.map((data) => ({ kind: "changed", data })),
    crmChanges: changed.map(({ field, after: value }) => ({ field, value })),
  };
}

/** A lead whose follow-up is removed: its columns, its timeline entries, and its changes for the CRM. */
export function clearFollowUp(lead: Lead) {
  return { changes: noFollowUp, ...followUpChanges(lead, noFollowUp) };
}
