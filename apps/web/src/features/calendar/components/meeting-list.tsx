import type { Meeting } from "@portal/contract/entities/meeting";
import { useInfiniteQuery } from "@tanstack/react-query";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarPlus, CloudOff } from "lucide-react";
import type { RefObject } from "react";
import { errorText } from "../../../lib/errors.ts";
import { formatDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { groupMeetings } from "../meeting-days.ts";
import { meetingPages } from "../queries.ts";
import { calendarTexts } from "../texts.ts";
import { MeetingRow } from "./meeting-row.tsx";

interface MeetingListProps {
  now: number;
  onSchedule: () => void;
  onEdit: (meeting: Meeting, opener: RefObject<HTMLElement | null>) => void;
  onDelete: (meeting: Meeting) => void;
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
      {days.map(({ key, label, at, meetings }) => (
        <section key={key} aria-labelledby={`day-${key}`} className="grid gap-2.5">
          <h2 id={`day-${key}`} className="font-semibold text-base">
            {label === "date" ? formatDate(at) : t(label)}
          </h2>
          {meetings.map((meeting) => (
            <MeetingRow key={meeting.id} meeting={meeting} now={now} onEdit={onEdit} onDelete={onDelete} />
          ))}
        </section>
      ))}
      {found.hasNextPage ? (
        <div className="grid justify-items-center gap-2">
          {found.isFetchNextPageError ? (
            <p role="alert" className="text-danger-text text-sm">
              {t("moreFailed")}
            </p>
          ) : null}
          <Button
            variant="secondary"
            pending={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage({ cancelRefetch: false })}
          >
            {found.isFetchingNextPage ? t("loadingMore") : t("more")}
          </Button>
        </div>
      ) : null}
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
