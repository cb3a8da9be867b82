import { useInfiniteQuery } from "@tanstack/react-query";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarPlus, CloudOff } from "lucide-react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { groupMeetings } from "../meeting-days.ts";
import { meetingPages } from "../queries.ts";
import { calendarTexts } from "../texts.ts";
import { type MeetingActions, MeetingDaysList } from "./meeting-days-list.tsx";

interface MeetingListProps extends MeetingActions {
  now: number;
  onSchedule: () => void;
}

/** The meetings from today on, day by day. */
export function MeetingList({ now, onSchedule, onEdit, onDelete }: MeetingListProps) {
  const t = useTexts(calendarTexts);
  const found = useInfiniteQuery(meetingPages(startOfDay(now).toISOString()));
  if (!found.data && found.error) {
    return (
      <EmptyState
        icon={CloudOff}
        title={t("failedTitle")}
        description={errorText(found.error, t("failedText"))}
        actions={
          <Button pending={found.isFetching} onClick={() => void found.refetch()}>
            {t("retry")}
          </Button>
        }
      />
    );
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
        actions={<Button onClick={onSchedule}>{t("emptyAction")}</Button>}
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
        <div key={shape} className="grid gap-2.5 rounded-xl border bg-surface p-4 shadow-card">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </div>
  );
}
