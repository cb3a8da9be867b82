import type { Meeting } from "@portal/contract/entities/meeting";
import { useInfiniteQuery } from "@tanstack/react-query";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarPlus, ChevronRight } from "lucide-react";
import { type RefObject, useId, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import {
  EmptyState,
  LatePart,
  ListFailed,
  MoreRows,
  type MoreRowsProps,
  Skeleton,
} from "../../../ui/list-states.tsx";
import { groupMeetings, type MeetingDay } from "../meeting-values.ts";
import { calendarMessages } from "../messages.ts";
import { earlierPages, meetingPages } from "../queries.ts";
import { MeetingRow } from "./meeting-row.tsx";

interface MeetingListProps extends MeetingActions {
  now: number;
  onSchedule: () => void;
}

/** Meetings from today on, by day. */
export function MeetingList({ now, onSchedule, onEdit, onDelete }: MeetingListProps) {
  const t = useMessages(calendarMessages);
  const found = useInfiniteQuery(meetingPages(startOfDay(now).toISOString()));
  if (!found.data && found.error) {
    return <ListFailed found={found} title={t("failedTitle")} />;
  }
  if (!found.data) return <ListSkeleton loading={t("loading")} />;
  const days = groupMeetings(
    found.data.pages.flatMap(({ items }) => items),
    now,
  );
  if (days.length === 0) {
    return (
      <EmptyState
        icon={CalendarPlus}
        title={t("emptyTitle")}
        description={t("emptyText")}
        actions={
          <Button variant="secondary" onClick={onSchedule}>
            {t("emptyAction")}
          </Button>
        }
      />
    );
  }
  return (
    <div className="grid gap-6">
      <MeetingDaysList days={days} now={now} pages={found} onEdit={onEdit} onDelete={onDelete} />
    </div>
  );
}

const shapes = ["first", "second", "third"] as const;

function ListSkeleton({ loading }: { loading: string }) {
  return (
    <div aria-busy="true" className="grid gap-2.5">
      <p role="status" className="sr-only">
        {loading}
      </p>
      {shapes.map((shape) => (
        <div key={shape} className={cn(rowCardClasses, "grid gap-2.5")}>
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </div>
  );
}

/** Meetings before today, latest first: collapsed initially; nothing without any. */
export function EarlierMeetings({ now, onEdit, onDelete }: MeetingActions & { now: number }) {
  const t = useMessages(calendarMessages);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const pages = useInfiniteQuery(earlierPages(startOfDay(now).toISOString()));
  const meetings = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const days = groupMeetings(meetings, now, "latest");
  return (
    <>
      <LatePart
        store={STORAGE_KEYS.earlierMeetingsHeight}
        count={pages.isPending ? undefined : meetings.length}
        isAwaited
      >
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
      </LatePart>
      <div id={id} hidden={!isOpen} className={isOpen ? "grid gap-6" : undefined}>
        {isOpen ? (
          <MeetingDaysList days={days} now={now} pages={pages} onEdit={onEdit} onDelete={onDelete} />
        ) : null}
      </div>
    </>
  );
}

/** Actions for a meeting of a list. */
export interface MeetingActions {
  onEdit: (meeting: Meeting, opener: RefObject<HTMLElement | null>) => void;
  onDelete: (meeting: Meeting) => void;
}

interface MeetingDaysListProps extends MeetingActions {
  days: MeetingDay[];
  now: number;
  /** The query of the days, for its next page. */
  pages: MoreRowsProps["found"];
}

/** Meetings by day, with a button for more. */
function MeetingDaysList({ days, now, pages, onEdit, onDelete }: MeetingDaysListProps) {
  const t = useMessages(calendarMessages);
  const listId = useId();
  return (
    <>
      {days.map(({ key, label, at, meetings }, index) => (
        <section key={key} aria-labelledby={`${listId}-${index}`} className="grid gap-2.5">
          <h2 id={`${listId}-${index}`} className="font-semibold text-base">
            {label === "date" ? formatDate(at) : t(label)}
          </h2>
          {meetings.map((meeting) => (
            <MeetingRow key={meeting.id} meeting={meeting} now={now} onEdit={onEdit} onDelete={onDelete} />
          ))}
        </section>
      ))}
      <MoreRows found={pages} label={t("more")} failure={t("moreFailed")} />
    </>
  );
}
