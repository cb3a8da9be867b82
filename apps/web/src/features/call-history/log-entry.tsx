import type { CallLog } from "@portal/contract/entities/call";
import { AudioLines, CalendarDays, Clock, PhoneIncoming, PhoneMissed, PhoneOutgoing } from "lucide-react";
import { memo } from "react";
import { cn } from "../../lib/cn.ts";
import { formatDate, formatDuration, formatTime } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { rowCardClasses } from "../../ui/card.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { callDialogMessages } from "../telephony/call/dialog-messages.ts";
import { callMessages, outcomeMessages } from "../telephony/call/messages.ts";
import { NoTranscription, RecordingPlayer } from "../telephony/player/recording-player.tsx";
import { CallBackButton, callerName, StrangerActions } from "./caller-actions.tsx";
import { historyMessages } from "./messages.ts";
import { recordingUrl } from "./queries.ts";

const tones: Record<NonNullable<CallLog["outcome"]>, BadgeTone> = {
  answered: "success",
  completed: "success",
  voicemail: "info",
  busy: "warning",
  no_answer: "neutral",
  wrong_number: "danger",
  disconnected: "danger",
  not_connected: "warning",
};

interface LogEntryProps {
  log: CallLog;
}

/** One logged call with its lead, outcome, time, duration, notes and recording. */
export const LogEntry = memo(function LogEntry({ log }: LogEntryProps) {
  const t = useMessages(historyMessages);
  const call = useMessages(callDialogMessages);
  const name = callerName(log, t);
  const { leadId } = log;
  const Icon = log.missed ? PhoneMissed : log.direction === "inbound" ? PhoneIncoming : PhoneOutgoing;
  return (
    <article
      aria-label={name}
      className={cn(
        rowCardClasses,
        "grid grid-cols-[minmax(0,1fr)] gap-2.5 sm:grid-cols-[minmax(0,1fr)_auto]",
      )}
    >
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="flex min-w-0 max-w-full items-center gap-2.5 font-semibold text-base leading-6">
            <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            {leadId === null ? (
              <span className="min-w-0 truncate">{name}</span>
            ) : (
              <LeadLink
                leadId={leadId}
                className="min-w-0 truncate pointer-coarse:-my-2.5 pointer-coarse:py-2.5"
              >
                {name}
              </LeadLink>
            )}
          </h3>
          {log.leadCompany ? (
            <span className="max-w-full truncate text-muted-foreground text-sm">{log.leadCompany}</span>
          ) : null}
        </div>
        <Badges log={log} />
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground text-sm">
          <span className="inline-flex items-center gap-1.5">
            <CalendarDays aria-hidden className="size-3.5" />
            <time dateTime={log.callDate}>
              {formatDate(log.callDate)}, {formatTime(log.callDate)}
            </time>
          </span>
          <span className="inline-flex items-center gap-1.5 tabular-nums">
            <Clock aria-hidden className="size-3.5" />
            <Duration log={log} />
          </span>
          {log.salesRepName ? <span>{t("by", { name: log.salesRepName })}</span> : null}
        </p>
        {log.outcome === "not_connected" ? (
          <p className="text-muted-foreground text-sm">{call("results_not_connected")}</p>
        ) : null}
        {log.notes ? (
          <p className="line-clamp-4 whitespace-pre-wrap break-words text-sm">{log.notes}</p>
        ) : null}
        {log.transcription ? (
          <p className="line-clamp-4 break-words text-sm">
            {t("voicemailText", { text: log.transcription })}
          </p>
        ) : null}
        <NoTranscription reason={log.noTranscription} />
        {log.missedDoneBy ? (
          <p className="text-muted-foreground text-sm">{t("doneBy", { name: log.missedDoneBy })}</p>
        ) : null}
      </div>
      <div className="flex flex-wrap items-start gap-2 empty:hidden sm:justify-self-end">
        {log.missed && leadId !== null ? (
          <CallBackButton leadId={leadId} name={name} number={log.callerNumber} />
        ) : null}
        {leadId === null && log.callerNumber ? <StrangerActions number={log.callerNumber} /> : null}
      </div>
      {log.recordingSid ? (
        <div className="min-w-0 sm:col-span-2">
          <RecordingPlayer
            kind={log.direction === "inbound" && log.outcome === "voicemail" ? "voicemail" : "callRecording"}
            url={recordingUrl(log.recordingSid)}
            name={name}
            seconds={log.recordingSeconds}
          />
        </div>
      ) : null}
    </article>
  );
});

const knownTypes = ["browser", "inbound", "outbound"] as const;

/** The call's outcome, and whether it was confirmed. */
export function OutcomeBadge({ log, className }: LogEntryProps & { className?: string }) {
  const t = useMessages(historyMessages);
  const calls = useMessages(callMessages);
  const outcome = useMessages(outcomeMessages);
  if (!log.outcome)
    return (
      <Badge tone="warning" className={className}>
        {log.checking ? calls("checking") : t("noOutcome")}
      </Badge>
    );
  return (
    <Badge tone={tones[log.outcome]} className={className}>
      {outcome(log.outcome)}
      {log.confirmed || log.outcome === "not_connected" ? null : ` (${t("unconfirmed")})`}
    </Badge>
  );
}

/** The call's duration, and whether it was reported by the consultant. */
export function Duration({ log }: LogEntryProps) {
  const t = useMessages(historyMessages);
  const calls = useMessages(callMessages);
  const length = formatDuration(log.duration);
  const time = log.durationReported ? calls("reportedTime", { time: length }) : length;
  return (
    <>
      <span className="sr-only">{t("duration", { time })}</span>
      <span aria-hidden>{time}</span>
    </>
  );
}

function Badges({ log }: { log: CallLog }) {
  const t = useMessages(historyMessages);
  const type = knownTypes.find((known) => known === log.callType);
  return (
    <div className="flex flex-wrap gap-1.5">
      <OutcomeBadge log={log} />
      <Badge>{type ? t(`type_${type}`) : log.callType}</Badge>
      {log.leadId === null ? <Badge>{t("unknownCaller")}</Badge> : null}
      {log.unmatched ? (
        <Badge tone="warning" title={t("unmatchedHint")}>
          {t("unmatched")}
        </Badge>
      ) : null}
      {log.missed ? <Badge tone="danger">{t("missed")}</Badge> : null}
      {log.recordingSid ? (
        <Badge tone="violet">
          <AudioLines aria-hidden />
          {t("recordingAvailable")}
        </Badge>
      ) : null}
    </div>
  );
}
