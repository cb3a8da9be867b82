import { CalendarDays, X } from "lucide-react";
import { useState } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Calendar } from "../../../ui/calendar.tsx";
import { Field } from "../../../ui/field.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { leadDialogTexts } from "../dialog-texts.ts";
import { followUpInstant, startOfDay } from "../follow-up.ts";

interface FollowUpFieldProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Picks the day of the next follow-up: today or later, or none. */
export function FollowUpField({ value, onChange }: FollowUpFieldProps) {
  const t = useTexts(leadDialogTexts);
  const [open, setOpen] = useState(false);
  const selected = value ? startOfDay(new Date(value)) : undefined;
  return (
    <Field label={t("followUp")}>
      {(control) => (
        <div className="flex gap-2">
          <Popover open={open} onOpenChange={setOpen} modal>
            <PopoverTrigger asChild>
              <Button {...control} variant="secondary" className="min-w-0 flex-1 justify-start font-normal">
                <CalendarDays aria-hidden className="text-muted-foreground" />
                {value ? formatDate(value) : <span className="text-muted-foreground">{t("pickDate")}</span>}
              </Button>
            </PopoverTrigger>
            <PopoverContent aria-label={t("calendar")}>
              <Calendar
                mode="single"
                autoFocus
                required
                selected={selected}
                {...(selected ? { defaultMonth: selected } : {})}
                disabled={{ before: startOfDay(new Date()) }}
                onSelect={(day) => {
                  onChange(followUpInstant(day));
                  setOpen(false);
                }}
              />
            </PopoverContent>
          </Popover>
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
