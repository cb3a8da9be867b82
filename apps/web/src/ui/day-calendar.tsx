import { ChevronLeft, ChevronRight } from "lucide-react";
import { DayPicker, type DayPickerProps } from "react-day-picker";
import { enUS, es } from "react-day-picker/locale";
import { cn } from "../lib/cn.ts";
import { startOfDay } from "../lib/follow-up.ts";
import { formatLongDate } from "../lib/format.ts";
import { useLanguage, useMessages } from "../lib/i18n.ts";
import { buttonVariants } from "./button.tsx";
import { uiMessages } from "./messages.ts";

const COMPONENTS: DayPickerProps["components"] = { Chevron };

function Chevron({ orientation }: { orientation?: "up" | "down" | "left" | "right" }) {
  const Icon = orientation === "left" ? ChevronLeft : ChevronRight;
  return <Icon aria-hidden className="size-4" />;
}

/** A month from which to pick a day. Weeks start on Monday in Spanish, on Sunday in English. */
export function Calendar({ className, classNames, ...props }: DayPickerProps) {
  const language = useLanguage();
  const t = useMessages(uiMessages);
  const navButton = cn(buttonVariants({ variant: "ghost", size: "icon-sm" }), "aria-disabled:opacity-40");
  return (
    <DayPicker
      locale={language === "es" ? es : enUS}
      weekStartsOn={language === "es" ? 1 : 0}
      showOutsideDays
      labels={{
        labelPrevious: () => t("previousMonth"),
        labelNext: () => t("nextMonth"),
        labelDayButton: (day, { today }) =>
          today ? t("today", { date: formatLongDate(day) }) : formatLongDate(day),
      }}
      className={cn("w-fit select-none", className)}
      classNames={{
        months: "relative",
        month: "grid gap-3",
        nav: "absolute inset-x-0 top-0 flex justify-between",
        button_previous: navButton,
        button_next: navButton,
        month_caption: "grid h-8 place-items-center pointer-coarse:h-11",
        caption_label: "font-semibold text-sm first-letter:uppercase",
        month_grid: "border-collapse",
        weekday: "size-9 font-normal text-muted-foreground text-xs pointer-coarse:size-11",
        day: "p-0 text-center text-sm",
        day_button:
          "grid size-9 place-items-center rounded-md transition-colors hover:bg-muted pointer-coarse:size-11",
        selected:
          "[&>button]:bg-primary [&>button]:text-primary-foreground [&>button]:hover:bg-primary-hover",
        today: "font-semibold text-primary-text",
        outside: "text-muted-foreground",
        disabled: "pointer-events-none opacity-40",
        hidden: "invisible",
        ...classNames,
      }}
      components={COMPONENTS}
      {...props}
    />
  );
}

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
