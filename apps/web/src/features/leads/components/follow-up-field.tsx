import { X } from "lucide-react";
import { followUpInstant, startOfDay } from "../../../lib/follow-up.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { DayPicker } from "../../../ui/day-picker.tsx";
import { Field } from "../../../ui/field.tsx";
import { leadDialogTexts } from "../dialog-texts.ts";

interface FollowUpFieldProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Picks the day of the next follow-up: today or later, or none. */
export function FollowUpField({ value, onChange }: FollowUpFieldProps) {
  const t = useTexts(leadDialogTexts);
  return (
    <Field label={t("followUp")}>
      {(control) => (
        <div className="flex gap-2">
          <DayPicker
            {...control}
            className="min-w-0 flex-1"
            selected={value ? startOfDay(new Date(value)) : undefined}
            from={startOfDay(new Date())}
            onSelect={(day) => onChange(followUpInstant(day))}
            placeholder={t("pickDate")}
            calendarLabel={t("calendar")}
          />
          {value ? (
            <Button variant="ghost" size="icon" aria-label={t("clearDate")} onClick={() => onChange(null)}>
              <X aria-hidden />
            </Button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
