import { useMessages } from "../../../lib/i18n.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { settingsMessages } from "./messages.ts";
import { isWithin } from "./retry-draft.ts";

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
