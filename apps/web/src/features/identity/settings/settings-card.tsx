import { type RetryRule, retryRange } from "@portal/contract/entities/retry";
import { type FormEvent, type ReactNode, useId } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { settingsMessages } from "./messages.ts";

interface SettingsCardProps {
  title: string;
  description: string;
  saveLabel: string;
  isPending: boolean;
  isDisabled?: boolean;
  onSave: () => void;
  children: ReactNode;
}

/** A section of settings with its own Save button. */
export function SettingsCard(props: SettingsCardProps) {
  const { title, description, saveLabel, isPending, isDisabled = false, onSave, children } = props;
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && !isDisabled) onSave();
  };
  return (
    <Card aria-labelledby={titleId}>
      <form noValidate onSubmit={submit}>
        <CardHeader>
          <CardTitle id={titleId}>{title}</CardTitle>
          <CardDescription>{description}</CardDescription>
        </CardHeader>
        <CardContent className="grid gap-5">{children}</CardContent>
        <CardFooter>
          <Button type="submit" variant="secondary" disabled={isDisabled} pending={isPending}>
            {saveLabel}
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

interface ToggleRowProps {
  label: string;
  hint: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with a label and a hint. */
export function ToggleRow({ label, hint, checked, disabled, onChange }: ToggleRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="grid gap-0.5">
        <p id={`${id}-label`} className="font-medium text-sm">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
          {hint}
        </p>
      </div>
      <Switch
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  /** NaN if the input is not a number. */
  value: number;
  range: { from: number; until: number };
  onChange: (value: number) => void;
}

/** A field for a whole number within a range. Invalid input stays in the field with an error. */
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

/** Whether a value is a whole number within the range; NaN is not. */
export const isWithin = (value: number, { from, until }: Range): boolean =>
  Number.isInteger(value) && value >= from && value <= until;

/** Whether a rule in the form is valid. */
export function isRule({ attempts, gap, hours, end }: RetryRule): boolean {
  return (
    isWithin(attempts, retryRange.attempts) &&
    isWithin(gap.amount, retryRange.gap) &&
    (hours === null || hours.from < hours.until) &&
    (end.kind !== "rest" || isWithin(end.days, retryRange.restDays))
  );
}
