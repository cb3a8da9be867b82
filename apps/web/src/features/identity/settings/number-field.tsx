import { type RetryRule, retryRange } from "@portal/contract/entities/retry";
import { useMessages } from "../../../lib/i18n.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { settingsMessages } from "./messages.ts";

interface NumberFieldProps {
  label: string;
  hint?: string;
  /** NaN where what is typed is no number. */
  value: number;
  range: { from: number; until: number };
  onChange: (value: number) => void;
}

/** A whole number of a range. What is typed and is none stands there with what is wrong. */
export function NumberField({ label, hint, value, range, onChange }: NumberFieldProps) {
  const t = useMessages(settingsMessages);
  return (
    <Field label={label} hint={hint} error={isWithin(value, range) ? undefined : t("wholeNumber", range)}>
      {(control) => (
        <Input
          {...control}
          type="number"
          inputMode="numeric"
          min={range.from}
          max={range.until}
          step={1}
          value={Number.isNaN(value) ? "" : value}
          onChange={({ target }) => onChange(target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

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
