import { useInfiniteQuery } from "@tanstack/react-query";
import { startOfDay } from "date-fns/startOfDay";
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { groupMeetings } from "../meeting-days.ts";
import { earlierPages } from "../queries.ts";
import { calendarTexts } from "../texts.ts";
import { type MeetingActions, MeetingDaysList } from "./meeting-days-list.tsx";

/** The meetings of the days before today, the latest first: closed until they are asked for, nothing where there are none. */
export function EarlierMeetings({ now, onEdit, onDelete }: MeetingActions & { now: number }) {
  const t = useTexts(calendarTexts);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const pages = useInfiniteQuery(earlierPages(startOfDay(now).toISOString()));
  const meetings = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  if (meetings.length === 0) return null;
  const days = groupMeetings(meetings, now, "latest");
  return (
    <div className="grid gap-6">
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 justify-self-start text-muted-foreground"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden className={isOpen ? "rotate-90" : undefined} />
        {t("earlier")}
      </Button>
      <div id={id} hidden={!isOpen} className={isOpen ? "grid gap-6" : undefined}>
        {isOpen ? (
          <MeetingDaysList days={days} now={now} pages={pages} onEdit={onEdit} onDelete={onDelete} />
        ) : null}
      </div>
    </div>
  );
}
