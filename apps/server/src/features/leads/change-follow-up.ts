import { followUpInstantOf, followUpTimeText } from "@portal/contract/follow-up-time";
import type { leads } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { CrmChange } from "../crm-outbox/service.ts";

type Lead = typeof leads.$inferSelect;
type FollowUpField = "nextFollowUpDate" | "nextFollowUpTime" | "nextFollowUpZone" | "nextFollowUpAt";
/** A lead's follow-up. */
export type FollowUp = Pick<Lead, FollowUpField>;

/** A requested change of a follow-up: absent fields stay, null clears a field. */
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

/** The follow-up after a change. Without a date the time is removed as well. Errors: `invalid`. */
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

/** The timeline entries of a changed follow-up, one for the date and one for the time, and its changes for the CRM. */
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
