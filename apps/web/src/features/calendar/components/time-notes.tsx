import type { Meeting } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { CalendarX2 } from "lucide-react";
import { formatTimeIn } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { browserZone, sameClock } from "../local-time.ts";
import type { DraftTimes } from "../meeting-draft.ts";
import { meetingTexts } from "../meeting-texts.ts";
import { clockTime, timeRange, zoneName } from "../meeting-times.ts";
import { clashQuery } from "../queries.ts";

/** What there is to know about the chosen time: when it ends, in whose zone, what else is then. */
export function TimeNotes({ times, meeting }: { times: DraftTimes; meeting: Meeting | null }) {
  const t = useTexts(meetingTexts);
  const zone = browserZone();
  const { start, end } = times;
  const chosen = start && end ? { start, end } : null;
  const { data } = useQuery(clashQuery(chosen, meeting?.id));
  const clash = chosen && data?.clash;
  const other = meeting && !sameClock(meeting.startTime, meeting.timeZone, zone) ? meeting : null;
  return (
    <div className="grid text-[0.8125rem] text-muted-foreground">
      <p>
        {end ? `${t("ends", { time: clockTime(end.toISOString()) })} · ` : null}
        {other
          ? t("zoneOther", {
              zone: zoneName(zone),
              other: zoneName(other.timeZone),
              time: formatTimeIn(other.startTime, other.timeZone),
            })
          : t("zone", { zone: zoneName(zone) })}
        {start && start.getTime() < Date.now() ? ` ${t("past")}` : null}
      </p>
      <div role="status">
        {clash ? (
          <p className="mt-2 flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text [overflow-wrap:anywhere]">
            <CalendarX2 aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("clash", { title: clash.title, range: timeRange(clash) })}
          </p>
        ) : null}
      </div>
    </div>
  );
}
