import { type RetryRule, retryRange } from "@portal/contract/entities/retry";

interface Range {
  from: number;
  until: number;
}

/** Whether what was typed is a whole number of the range; NaN stands for what is no number. */
export const isWithin = (value: number, { from, until }: Range): boolean =>
  Number.isInteger(value) && value >= from && value <= until;

/** Whether a rule as it stands in the form is one. */
export function isRule({ attempts, gap, hours, end }: RetryRule): boolean {
  return (
    isWithin(attempts, retryRange.attempts) &&
    isWithin(gap.amount, retryRange.gap) &&
    (hours === null || hours.from < hours.until) &&
    (end.kind !== "rest" || isWithin(end.days, retryRange.restDays))
  );
}
