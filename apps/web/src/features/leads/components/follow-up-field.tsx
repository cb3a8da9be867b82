import { CalendarDays, X } from "lucide-react";
import { useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { followUpInstant, startOfDay } from "../../../lib/follow-up.ts";
import { formatDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Calendar } from "../../../ui/calendar.tsx";
import { Field } from "../../../ui/field.tsx";
import { controlClasses } from "../../../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { leadDialogTexts } from "../dialog-texts.ts";

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
            <PopoverTrigger
              {...control}
              // A label alone would take the place of the date.
              aria-labelledby={`${control.id}-label ${control.id}-value`}
              className={cn(
                controlClasses,
                "flex h-9 min-w-0 flex-1 items-center gap-2 text-left pointer-coarse:h-11",
              )}
            >
              <CalendarDays aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span id={`${control.id}-value`} className={value ? undefined : "text-muted-foreground"}>
                {value ? formatDate(value) : t("pickDate")}
              </span>
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
