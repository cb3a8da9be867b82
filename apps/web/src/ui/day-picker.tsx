import { CalendarDays } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cn } from "../lib/cn.ts";
import { formatDate } from "../lib/format.ts";
import { Calendar } from "./day-calendar.tsx";
import { controlClasses } from "./input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

interface DayPickerProps extends Omit<ComponentProps<typeof PopoverTrigger>, "id" | "onSelect"> {
  /** Id of the field's control; its label's is `<id>-label`. */
  id: string;
  selected: Date | undefined;
  /** The first day that can be selected. */
  from: Date;
  onSelect: (day: Date) => void;
  /** Shown while no day is selected. */
  placeholder: string;
  /** Accessible name of the calendar. */
  calendarLabel: string;
}

/** A field with a day, and a calendar for selecting another. */
export function DayPicker(props: DayPickerProps) {
  const { id, selected, from, onSelect, placeholder, calendarLabel, className, ...control } = props;
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen} modal>
      <PopoverTrigger
        {...control}
        id={id}
        // The label alone would hide the date from screen readers.
        aria-labelledby={`${id}-label ${id}-value`}
        className={cn(controlClasses, "flex h-9 items-center gap-2 text-left pointer-coarse:h-11", className)}
      >
        <CalendarDays aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <span id={`${id}-value`} className={selected ? undefined : "text-muted-foreground"}>
          {selected ? formatDate(selected) : placeholder}
        </span>
      </PopoverTrigger>
      <PopoverContent aria-label={calendarLabel} onOpenAutoFocus={focusDay}>
        <Calendar
          mode="single"
          required
          selected={selected}
          {...(selected ? { defaultMonth: selected } : {})}
          disabled={{ before: from }}
          onSelect={(day) => {
            onSelect(day);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

/**
 * Focuses the selected day, so that the arrow keys work at once. The calendar's own `autoFocus` comes too early: a dialog below takes the
 * focus back.
 */
function focusDay(event: Event): void {
  const day = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('td button[tabindex="0"]');
  if (!day) return;
  event.preventDefault();
  day.focus();
}
