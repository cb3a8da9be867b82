import { AlarmClock } from "lucide-react";
import { useState } from "react";
import { followUpInstant, startOfDay } from "../../../lib/follow-up.ts";
import { formatLongDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Calendar } from "../../../ui/calendar.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { followUpTexts } from "../follow-up-texts.ts";

interface SnoozeButtonProps {
  name: string;
  disabled: boolean;
  /** The instant of the chosen day. */
  onSnooze: (nextFollowUpDate: string) => void;
}

function dayIn(days: number): Date {
  const day = startOfDay(new Date());
  day.setDate(day.getDate() + days);
  return day;
}

/** Puts a follow-up off: to tomorrow, by a week from today, or to a day of one's choice. */
export function SnoozeButton({ name, disabled, onSnooze }: SnoozeButtonProps) {
  const t = useTexts(followUpTexts);
  const [open, setOpen] = useState(false);
  const choose = (day: Date) => {
    setOpen(false);
    onSnooze(followUpInstant(day));
  };
  return (
    <Popover open={open} onOpenChange={setOpen} modal>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          className="flex-1 sm:flex-none"
          disabled={disabled}
          aria-label={t("snoozeFor", { name })}
        >
          <AlarmClock aria-hidden />
          {t("snooze")}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={t("snoozeFor", { name })}
        className="grid gap-1 max-[22.5rem]:px-1"
      >
        {[1, 7].map((days) => (
          <Button
            key={days}
            variant="ghost"
            className="h-auto min-h-9 flex-wrap justify-between gap-x-6 gap-y-0 whitespace-normal py-1"
            onClick={() => choose(dayIn(days))}
          >
            {days === 1 ? t("tomorrow") : t("nextWeek")}
            <span className="font-normal text-muted-foreground text-xs">{formatLongDate(dayIn(days))}</span>
          </Button>
        ))}
        <Calendar
          mode="single"
          required
          selected={undefined}
          disabled={{ before: startOfDay(new Date()) }}
          onSelect={choose}
          className="mt-1 justify-self-center border-t pt-3"
        />
      </PopoverContent>
    </Popover>
  );
}
