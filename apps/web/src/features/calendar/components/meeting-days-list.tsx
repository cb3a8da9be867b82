import type { Meeting } from "@portal/contract/entities/meeting";
import { type RefObject, useId } from "react";
import { formatDate } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import type { MeetingDay } from "../meeting-days.ts";
import { calendarTexts } from "../texts.ts";
import { MeetingRow } from "./meeting-row.tsx";

/** What is done with a meeting of a list. */
export interface MeetingActions {
  onEdit: (meeting: Meeting, opener: RefObject<HTMLElement | null>) => void;
  onDelete: (meeting: Meeting) => void;
}

interface MeetingDaysListProps extends MeetingActions {
  days: MeetingDay[];
  now: number;
  /** The query behind the days, for its next page. */
  pages: {
    hasNextPage: boolean;
    isFetchNextPageError: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
  };
}

/** Meetings day by day, and a button for more of them. */
export function MeetingDaysList({ days, now, pages, onEdit, onDelete }: MeetingDaysListProps) {
  const t = useTexts(calendarTexts);
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
      {pages.hasNextPage ? (
        <div className="grid justify-items-center gap-2">
          {pages.isFetchNextPageError ? (
            <p role="alert" className="text-danger-text text-sm">
              {t("moreFailed")}
            </p>
          ) : null}
          <Button
            variant="secondary"
            pending={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage({ cancelRefetch: false })}
          >
            {pages.isFetchingNextPage ? t("loadingMore") : t("more")}
          </Button>
        </div>
      ) : null}
    </>
  );
}
