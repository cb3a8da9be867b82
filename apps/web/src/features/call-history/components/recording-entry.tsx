import type { Recording } from "@portal/contract/entities/recording";
import { getRecording } from "@portal/contract/routes/recordings";
import { CalendarDays, Clock, Phone } from "lucide-react";
import { routeUrl } from "../../../lib/api.ts";
import { formatDate, formatDuration, formatPhone, formatTime } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { RecordingPlayer } from "../../player/recording-player.tsx";
import { recordingUrl } from "../recording-url.ts";
import { recordingsTexts } from "../texts.ts";

/** One recording: whose, when, how long, and the player where there is something to play. */
export function RecordingEntry({ recording }: { recording: Recording }) {
  const t = useTexts(recordingsTexts);
  const { recordingSid, recordingStatus, leadPhone, duration, createdAt } = recording;
  const name = recording.leadName || t("unknownLead");
  const status = (["completed", "processing"] as const).find((each) => each === recordingStatus);
  return (
    <article
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)] gap-2.5 rounded-xl border bg-surface p-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="min-w-0 truncate font-semibold text-base leading-6">{name}</h3>
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
