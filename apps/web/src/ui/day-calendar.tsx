import { startOfDay } from "../lib/follow-up.ts";
import { Calendar } from "./calendar.tsx";

interface DayCalendarProps {
  selected: Date | undefined;
  onSelect: (day: Date) => void;
}

/** A month from which to pick today or a later day. */
export default function DayCalendar({ selected, onSelect }: DayCalendarProps) {
  return (
    <Calendar
      mode="single"
      autoFocus
      required
      selected={selected}
      {...(selected ? { defaultMonth: selected } : {})}
      disabled={{ before: startOfDay(new Date()) }}
      onSelect={onSelect}
    />
  );
}
