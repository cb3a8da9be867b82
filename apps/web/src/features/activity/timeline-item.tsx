import { loggedOutcomes } from "@portal/contract/entities/call";
import { leadStatuses, priorities } from "@portal/contract/entities/lead";
import type { TimelineEntry } from "@portal/contract/entities/timeline";
import { languages } from "@portal/contract/entities/user";
import { readFollowUpTime } from "@portal/contract/follow-up-time";
import { getRecording } from "@portal/contract/routes/recordings";
import {
  ArrowRight,
  Ban,
  CalendarClock,
  CalendarPlus,
  CalendarX2,
  Check,
  CircleDot,
  CloudDownload,
  CloudOff,
  CloudUpload,
  type LucideIcon,
  Merge,
  MessageSquareReply,
  MessageSquareText,
  PencilLine,
  PhoneIncoming,
  PhoneMissed,
  PhoneOutgoing,
  ShieldCheck,
  Sparkles,
  StickyNote,
  Trophy,
  Undo2,
  UserRoundCheck,
} from "lucide-react";
import { routeUrl } from "../../lib/api.ts";
import { formatDate, formatDuration, formatMoney, formatPhone, formatTime } from "../../lib/format.ts";
import { formatZoneCity } from "../../lib/format-zone.ts";
import { type MessageKey, messagesOf, useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { leadLanguageMessages } from "../../lib/lead-language-messages.ts";
import { AttachmentsNote } from "../sms/components/attachments-note.tsx";
import { callDialogMessages } from "../telephony/call/dialog-messages.ts";
import { callMessages, outcomeMessages } from "../telephony/call/messages.ts";
import { NoTranscription, RecordingPlayer } from "../telephony/player/recording-player.tsx";
import { timelineMessages } from "./timeline-messages.ts";

const icons: Record<string, LucideIcon> = {
  call: PhoneOutgoing,
  "call-attempt": PhoneMissed,
  text: MessageSquareText,
  "outcome-confirmed": PencilLine,
  "missed-call-done": Check,
  "missed-call-reopened": Undo2,
  created: Sparkles,
  changed: PencilLine,
  renamed: PencilLine,
  assigned: UserRoundCheck,
  converted: Trophy,
  "opted-out": Ban,
  "consent-recorded": ShieldCheck,
  "consent-withdrawn": Ban,
  "follow-up-proposed": CalendarClock,
  "meeting-scheduled": CalendarPlus,
  "meeting-changed": CalendarClock,
  "meeting-deleted": CalendarX2,
  "crm-synced": CloudDownload,
  "crm-pushed": CloudUpload,
  "crm-push-failed": CloudOff,
  "crm-deleted": CloudOff,
  "crm-unanswered": CloudOff,
  "crm-note": StickyNote,
  "note-added": StickyNote,
  merged: Merge,
  unmerged: Undo2,
};

function iconOf({ kind, direction }: TimelineEntry): LucideIcon {
  if (direction === "inbound") return kind === "call" ? PhoneIncoming : MessageSquareReply;
  return icons[kind] ?? CircleDot;
}

/** One entry: what happened, when and by whom, with the values before and after. */
export function TimelineItem({ entry, leadName }: { entry: TimelineEntry; leadName: string }) {
  const t = useMessages(timelineMessages);
  const Icon = iconOf(entry);
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-full bg-muted text-muted-foreground">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="grid min-w-0 flex-1 gap-1.5 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{kindLabel(entry)}</span>
          <CallFacts entry={entry} />
          <span className="text-muted-foreground text-xs">
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
            {entry.actorName ? ` · ${t("by", { name: entry.actorName })}` : null}
          </span>
        </p>
        {changesOf(entry).map((change) => (
          <Change key={change.field} change={change} named={entry.kind !== "changed"} />
        ))}
        {entry.text ? (
          <p className="whitespace-pre-wrap break-words rounded-lg bg-muted/70 px-3 py-2">{entry.text}</p>
        ) : null}
        {entry.related.map((change) => (
          <div key={change.key} className="flex flex-wrap gap-x-2 text-xs">
            <Change change={{ ...change, field: change.field ?? "" }} named />
            {change.actorName && change.actorName !== entry.actorName ? (
              <span className="text-muted-foreground">{t("by", { name: change.actorName })}</span>
            ) : null}
          </div>
        ))}
        <NoTranscription reason={entry.noTranscription} />
        <AttachmentsNote count={entry.attachments} />
        {entry.recordingSid ? (
          <RecordingPlayer
            kind={
              entry.direction === "inbound" && entry.outcome === "voicemail" ? "voicemail" : "callRecording"
            }
            seconds={entry.recordingSeconds}
            url={routeUrl(getRecording, { params: { recordingSid: entry.recordingSid } })}
            name={leadName}
          />
        ) : null}
      </div>
    </li>
  );
}

const textStatuses = ["delivered", "failed", "undelivered", "sent"] as const;

/** Outcome and duration of a call, or status of an SMS. */
function CallFacts({ entry }: { entry: TimelineEntry }) {
  const t = useMessages(timelineMessages);
  const outcome = useMessages(outcomeMessages);
  const call = useMessages(callDialogMessages);
  const calls = useMessages(callMessages);
  const { kind, status } = entry;
  if (kind === "text" && entry.direction === "outbound") {
    const shown = textStatuses.find((each) => each === status);
    return <span className="text-muted-foreground">{t(shown ? `status_${shown}` : "status_pending")}</span>;
  }
  const words: string[] = [];
  const logged = Object.keys(outcomeMessages.pairs).find((each) => each === entry.outcome);
  const result = Object.keys(callDialogMessages.pairs).find((each) => each === `results_${entry.outcome}`);
  if (kind === "call" && logged) words.push(outcome(logged as keyof (typeof outcomeMessages)["pairs"]));
  if (kind === "call" && entry.outcome === "checking") words.push(calls("checking"));
  if (kind === "call-attempt" && result) words.push(call(result as "results_failed"));
  if (kind === "call" && entry.durationSeconds) {
    const time = formatDuration(entry.durationSeconds);
    words.push(entry.durationReported ? calls("reportedTime", { time }) : time);
  }
  return words.length > 0 ? <span className="text-muted-foreground">{words.join(" · ")}</span> : null;
}

function Change({ change, named }: { change: ChangedField; named: boolean }) {
  const t = useMessages(timelineMessages);
  const { field, before, after } = change;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 break-words">
      {named ? <span className="text-muted-foreground">{fieldLabel(field)}:</span> : null}
      <span className="sr-only">{t("before")}</span>
      <span className="min-w-0 text-muted-foreground line-through decoration-muted-foreground/60">
        {valueLabel(field, before)}
      </span>
      <ArrowRight aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      <span className="sr-only">{t("after")}</span>
      <span className="min-w-0">{valueLabel(field, after)}</span>
    </p>
  );
}

type Key = MessageKey<(typeof timelineMessages)["pairs"]>;

/** The message key made from a server value, or the general one for an unknown value. */
function known(key: string, general: Key): Key {
  return key in timelineMessages.pairs ? (key as Key) : general;
}

/** A field's name in the current language. */
function fieldLabel(field: string): string {
  return plain(known(`field_${field}`, "field_unknown"));
}

function plain(key: Key): string {
  // Keys made from server values have no placeholders.
  return (messagesOf(timelineMessages) as (key: Key) => string)(key);
}

/** The title of an entry. */
function kindLabel({ kind, direction, field, before, after }: TimelineEntry): string {
  if (kind === "changed")
    return messagesOf(timelineMessages)("kind_changed", { field: fieldLabel(field ?? "") });
  if (kind === "assigned" && before !== null)
    return plain(after === null ? "kind_unassigned" : "kind_transferred");
  const directed = direction === null ? null : `kind_${kind}_${direction}`;
  if (directed && directed in timelineMessages.pairs) return plain(directed as Key);
  return plain(known(`kind_${kind}`, "kind_unknown"));
}

const instants: readonly string[] = ["lastContactedAt", "startTime", "endTime", "retryFrom"];

/** A field's value as text. */
function valueLabel(field: string | null, value: unknown): string {
  if (value === null || value === undefined || value === "") return plain("none");
  if (typeof value === "boolean") return plain(value ? "yes" : "no");
  if ((field === "dealValue" || field === "conversionValue") && typeof value === "number") {
    return formatMoney(value);
  }
  const text = String(value);
  if (field === "nextFollowUpDate") return formatDate(text);
  const clock = field === "nextFollowUpTime" ? readFollowUpTime(text) : null;
  if (clock) return `${clock.time} (${formatZoneCity(clock.zone)})`;
  if (field !== null && instants.includes(field)) return `${formatDate(text)}, ${formatTime(text)}`;
  if (field === "phone") return formatPhone(text);
  const status = leadStatuses.find((each) => each === text);
  if (field === "status" && status) return messagesOf(leadLabelMessages)(status);
  const priority = priorities.find((each) => each === text);
  if (field === "priority" && priority) return messagesOf(leadLabelMessages)(priority);
  const language = languages.find((each) => each === text);
  if (field === "language" && language) return messagesOf(leadLanguageMessages)(language);
  const outcome = loggedOutcomes.find((each) => each === text);
  if ((field === "outcome" || field === "numberFault" || field === "call") && outcome)
    return messagesOf(outcomeMessages)(outcome);
  return text;
}

interface ChangedField {
  field: string;
  before: unknown;
  after: unknown;
}

/** The changed fields of an entry: one, or those of a sync by name. */
function changesOf({ field, before, after }: TimelineEntry): ChangedField[] {
  if (field) return [{ field, before, after }];
  if (typeof after !== "object" || after === null) return [];
  const [from, to] = [before, after] as Record<string, unknown>[];
  return Object.keys(to ?? {}).map((name) => ({ field: name, before: from?.[name], after: to?.[name] }));
}

interface DayGroup {
  day: string;
  at: string;
  entries: TimelineEntry[];
}

/** Entries grouped by day in the browser's zone, newest first. */
export function groupByDay(entries: readonly TimelineEntry[]): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const entry of entries) {
    const day = new Date(entry.at).toDateString();
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else groups.push({ day, at: entry.at, entries: [entry] });
  }
  return groups;
}
