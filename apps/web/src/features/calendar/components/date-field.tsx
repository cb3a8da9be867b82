import { format } from "date-fns/format";
import { parse } from "date-fns/parse";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Calendar } from "../../../ui/calendar.tsx";
import { Field } from "../../../ui/field.tsx";
import { controlClasses } from "../../../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
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
  const [open, setOpen] = useState(false);
  const selected = value ? parse(value, dayFormat, new Date()) : undefined;
  return (
    <Field label={t("date")} error={error} className="content-start">
      {(control) => (
        <Popover open={open} onOpenChange={setOpen} modal>
          <PopoverTrigger
            {...control}
            // A label alone would take the place of the date.
            aria-labelledby={`${control.id}-label ${control.id}-value`}
            className={cn(controlClasses, "flex h-9 items-center gap-2 text-left pointer-coarse:h-11")}
          >
            <CalendarDays aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            <span id={`${control.id}-value`} className={selected ? undefined : "text-muted-foreground"}>
              {selected ? formatDate(selected) : t("pickDate")}
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
                onChange(format(day, dayFormat));
                setOpen(false);
              }}
            />
          </PopoverContent>
        </Popover>
      )}
    </Field>
  );
}
