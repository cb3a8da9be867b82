import { format } from "date-fns/format";
import { parse } from "date-fns/parse";
import { startOfDay } from "date-fns/startOfDay";
import { useTexts } from "../../../lib/i18n.ts";
import { DayPicker } from "../../../ui/day-picker.tsx";
import { Field } from "../../../ui/field.tsx";
import { meetingTexts } from "../meeting-texts.ts";

interface DateFieldProps {
  /** `yyyy-MM-dd`, or '' while none is chosen. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

const dayFormat = "yyyy-MM-dd";

/** Picks the day of a meeting: today or later (specification §5). */
export function DateField({ value, onChange, error }: DateFieldProps) {
  const t = useTexts(meetingTexts);
  return (
    <Field label={t("date")} error={error} className="content-start">
      {(control) => (
        <DayPicker
          {...control}
          selected={value ? parse(value, dayFormat, new Date()) : undefined}
          from={startOfDay(new Date())}
          onSelect={(day) => onChange(format(day, dayFormat))}
          placeholder={t("pickDate")}
          calendarLabel={t("calendar")}
        />
      )}
    </Field>
  );
}
