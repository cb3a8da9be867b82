import {
  type RetriedOutcome,
  type RetryEnd,
  type RetryRule,
  retryRange,
  retryStatuses,
  retryUnits,
} from "@portal/contract/entities/retry";
import { useId } from "react";
import { formatHour } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { outcomeMessages } from "../../telephony/call/messages.ts";
import { retryMessages } from "./retry-messages.ts";
import { NumberField } from "./settings-card.tsx";

/** Default values of each kind of end. */
const ends: { [Kind in RetryEnd["kind"]]: Extract<RetryEnd, { kind: Kind }> } = {
  rest: { kind: "rest", days: 30 },
  status: { kind: "status", status: "not_interested" },
  ask: { kind: "ask" },
};
const workingHours = { from: 9, until: 18 };

interface RuleFieldsProps {
  outcome: RetriedOutcome;
  rule: RetryRule;
  onChange: (rule: RetryRule) => void;
}

/** The rule after one outcome. Invalid input stays in its field with an error. */
export function RetryRuleFields({ outcome, rule, onChange }: RuleFieldsProps) {
  const t = useMessages(retryMessages);
  const label = useMessages(outcomeMessages);
  const change = (some: Partial<RetryRule>) => onChange({ ...rule, ...some });
  return (
    <fieldset className="grid gap-4 border-t pt-4 first:border-t-0 first:pt-0">
      <legend className="float-left font-semibold text-sm">{label(outcome)}</legend>
      <div className="clear-both grid items-start gap-4 sm:grid-cols-3">
        <NumberField
          label={t("attempts")}
          hint={t("attemptsHint")}
          value={rule.attempts}
          range={retryRange.attempts}
          onChange={(attempts) => change({ attempts })}
        />
        <NumberField
          label={t("gap")}
          value={rule.gap.amount}
          range={retryRange.gap}
          onChange={(amount) => change({ gap: { ...rule.gap, amount } })}
        />
        <Field label={t("unit")}>
          {(control) => (
            <Select
              {...control}
              value={rule.gap.unit}
              onValueChange={(unit) => change({ gap: { ...rule.gap, unit } })}
              options={retryUnits.map((value) => ({ value, label: t(`unit_${value}`) }))}
            />
          )}
        </Field>
      </div>
      <SwitchLine
        label={t("otherHour")}
        checked={rule.otherHour}
        onChange={(otherHour) => change({ otherHour })}
      />
      <SwitchLine
        label={t("ownHours")}
        checked={rule.hours !== null}
        onChange={(isOn) => change({ hours: isOn ? workingHours : null })}
      />
      {rule.hours ? <HoursFields hours={rule.hours} onChange={(hours) => change({ hours })} /> : null}
      <EndFields end={rule.end} onChange={(end) => change({ end })} />
    </fieldset>
  );
}

interface SwitchLineProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function SwitchLine({ label, checked, onChange }: SwitchLineProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-6">
      <p id={id} className="text-sm">
        {label}
      </p>
      <Switch aria-labelledby={id} checked={checked} onCheckedChange={onChange} />
    </div>
  );
}

type Hours = NonNullable<RetryRule["hours"]>;

function HoursFields({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  const t = useMessages(retryMessages);
  const options = (first: number) =>
    Array.from({ length: 24 }, (_, index) => ({
      value: String(index + first),
      label: formatHour((index + first) % 24),
    }));
  const isWrong = hours.from >= hours.until;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={t("from")} hint={t("hoursHint")}>
        {(control) => (
          <Select
            {...control}
            value={String(hours.from)}
            onValueChange={(from) => onChange({ ...hours, from: Number(from) })}
            options={options(0)}
          />
        )}
      </Field>
      <Field label={t("until")} error={isWrong ? t("hoursWrong") : undefined}>
        {(control) => (
          <Select
            {...control}
            value={String(hours.until)}
            onValueChange={(until) => onChange({ ...hours, until: Number(until) })}
            options={options(1)}
          />
        )}
      </Field>
    </div>
  );
}

function EndFields({ end, onChange }: { end: RetryEnd; onChange: (end: RetryEnd) => void }) {
  const t = useMessages(retryMessages);
  const label = useMessages(leadLabelMessages);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label={t("end")}>
        {(control) => (
          <Select
            {...control}
            value={end.kind}
            onValueChange={(kind) => onChange(ends[kind])}
            options={(["rest", "status", "ask"] as const).map((value) => ({
              value,
              label: t(`end_${value}`),
            }))}
          />
        )}
      </Field>
      {end.kind === "rest" ? (
        <NumberField
          label={t("restDays")}
          value={end.days}
          range={retryRange.restDays}
          onChange={(days) => onChange({ ...end, days })}
        />
      ) : null}
      {end.kind === "status" ? (
        <Field label={t("status")} hint={t("statusHint")}>
          {(control) => (
            <Select
              {...control}
              value={end.status}
              onValueChange={(status) => onChange({ ...end, status })}
              options={retryStatuses.map((value) => ({ value, label: label(value) }))}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
