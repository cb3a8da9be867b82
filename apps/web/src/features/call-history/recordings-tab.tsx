import type { Recording } from "@portal/contract/entities/recording";
import { getRecording } from "@portal/contract/routes/recordings";
import { useInfiniteQuery } from "@tanstack/react-query";
import { AudioLines, CalendarDays, Clock, Phone } from "lucide-react";
import { useMemo } from "react";
import { routeUrl } from "../../lib/api.ts";
import { cn } from "../../lib/cn.ts";
import { formatDate, formatDuration, formatPhone, formatTime } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { rowCardClasses } from "../../ui/card.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { EmptyState } from "../../ui/list-states.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { useLoudspeaker } from "../telephony/player/player-store.ts";
import { RecordingPlayer } from "../telephony/player/recording-player.tsx";
import { recordingsMessages } from "./messages.ts";
import { recordingPages, recordingUrl } from "./queries.ts";

const estimatedRowPx = 190;
const idOf = ({ id }: Recording) => id;
const soundOf = ({ recordingSid }: Recording) => (recordingSid ? recordingUrl(recordingSid) : null);

/** The provider's recordings, newest first. */
export function RecordingsTab() {
  const t = useMessages(recordingsMessages);
  const playing = useLoudspeaker();
  const found = useInfiniteQuery(recordingPages());
  const { data } = found;
  const recordings = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  return (
    <PagedList
      found={found}
      items={recordings}
      keyOf={idOf}
      isKept={(recording) => playing !== null && soundOf(recording) === playing}
      label={t("list")}
      loading={t("loading")}
      failedTitle={t("loadFailedTitle")}
      estimatePx={estimatedRowPx}
      renderRow={(recording) => <RecordingEntry recording={recording} />}
      empty={<EmptyState icon={AudioLines} title={t("emptyTitle")} description={t("emptyText")} />}
    />
  );
}

/** One recording: lead, time, duration and player. */
function RecordingEntry({ recording }: { recording: Recording }) {
  const t = useMessages(recordingsMessages);
  const { recordingSid, recordingStatus, leadPhone, duration, createdAt } = recording;
  const name = recording.leadName || t("unknownLead");
  const status = (["completed", "processing"] as const).find((each) => each === recordingStatus);
  return (
    <article aria-label={name} className={cn(rowCardClasses, "grid grid-cols-[minmax(0,1fr)] gap-2.5")}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="min-w-0 truncate font-semibold text-base leading-6">
          {recording.leadId === null ? name : <LeadLink leadId={recording.leadId}>{name}</LeadLink>}
        </h3>
        <Badge tone={status === "completed" ? "success" : "warning"}>
          {status ? t(status) : recordingStatus}
        </Badge>
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground text-sm">
        <span className="inline-flex items-center gap-1.5">
          <CalendarDays aria-hidden className="size-3.5" />
          <time dateTime={createdAt}>
            {formatDate(createdAt)}, {formatTime(createdAt)}
          </time>
        </span>
        <span className="inline-flex items-center gap-1.5 tabular-nums">
          <Phone aria-hidden className="size-3.5" />
          <span className="sr-only">{t("phone")}</span>
          {leadPhone ? formatPhone(leadPhone) : t("notAvailable")}
        </span>
        <span className="inline-flex items-center gap-1.5 tabular-nums">
          <Clock aria-hidden className="size-3.5" />
          <span className="sr-only">{t("duration")}</span>
          {duration === null ? t("notAvailable") : formatDuration(duration)}
        </span>
      </p>
      {recordingSid ? (
        <RecordingPlayer
          kind={recording.kind === "voicemail" ? "voicemail" : "callRecording"}
          url={recordingUrl(recordingSid)}
          name={name}
          seconds={duration}
          expanded
          downloadUrl={routeUrl(getRecording, { params: { recordingSid }, query: { download: "1" } })}
        />
      ) : null}
    </article>
  );
}
