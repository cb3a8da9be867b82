import type { CallLog } from "@portal/contract/entities/call";
import { AudioLines, ChevronRight, PhoneIncoming, PhoneMissed, PhoneOutgoing } from "lucide-react";
import type { ReactNode } from "react";
import { formatDate, formatTime } from "../../lib/format.ts";
import type { Translate } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import type { ListColumn } from "../../ui/list-table.tsx";
import { callerName } from "./caller-actions.tsx";
import type { CallLogSort } from "./history-search.ts";
import { Duration, OutcomeBadge } from "./log-entry.tsx";
import type { historyMessages } from "./messages.ts";

type T = Translate<typeof historyMessages.pairs>;

/** Columns of single-line rows; the first one is always shown. */
export const logColumnKeys = [
  ...["name", "outcome", "when", "duration", "notes", "rep"],
  ...["type", "company", "voicemail"],
] as const;

export const firstLogColumns = ["name", "outcome", "when", "duration", "notes", "rep"] as const;

type LogColumnKey = (typeof logColumnKeys)[number];

/** Column labels. */
export const logColumnLabels = (t: T): Record<LogColumnKey, string> => ({
  name: t("column_name"),
  outcome: t("column_outcome"),
  when: t("column_when"),
  duration: t("column_duration"),
  notes: t("column_notes"),
  rep: t("column_rep"),
  type: t("column_type"),
  company: t("column_company"),
  voicemail: t("column_voicemail"),
});

interface LogColumnsInput {
  t: T;
  /** Keys of the columns, separated by commas. */
  shown: string;
  /** There is room for one column only. */
  isNarrow: boolean;
}

const muted = "text-muted-foreground";
const orNothing = (value: ReactNode) => value || <span className={muted}>—</span>;

/** The caller and the call's direction; in a narrow list also outcome and time. */
function Name({ log, isNarrow, t }: { log: CallLog; isNarrow: boolean; t: T }) {
  const name = callerName(log, t);
  const Icon = log.missed ? PhoneMissed : log.direction === "inbound" ? PhoneIncoming : PhoneOutgoing;
  return (
    <>
      <span className="flex items-center gap-2 leading-4.5">
        <Icon aria-hidden className={`size-3.5 shrink-0 ${log.missed ? "text-danger-text" : muted}`} />
        <span className="sr-only">{t(log.missed ? "missed" : log.direction)}: </span>
        {log.leadId === null ? (
          <span className="truncate font-medium">{name}</span>
        ) : (
          <LeadLink
            leadId={log.leadId}
            data-control="name"
            title={name}
            className="relative z-1 min-w-0 truncate font-medium"
          >
            {name}
          </LeadLink>
        )}
      </span>
      {isNarrow ? (
        <span className={`flex min-w-0 items-center gap-1.5 text-xs leading-4 ${muted}`}>
          <OutcomeBadge log={log} className="shrink-0 px-1.5 py-0 leading-4" />
          <span className="truncate">
            {formatDate(log.callDate)}, {formatTime(log.callDate)}
          </span>
        </span>
      ) : null}
    </>
  );
}

/** The shown columns, in order. */
export function logColumns({ t, shown, isNarrow }: LogColumnsInput): ListColumn<CallLog, CallLogSort>[] {
  const all: Record<LogColumnKey, Omit<ListColumn<CallLog, CallLogSort>, "key" | "label">> = {
    name: {
      width: isNarrow ? 9 : 11,
      grow: 1.5,
      isFree: true,
      cell: (log) => <Name log={log} isNarrow={isNarrow} t={t} />,
    },
    outcome: { width: 10.5, cell: (log) => <OutcomeBadge log={log} /> },
    when: {
      width: 11,
      sort: { up: "oldest", down: "newest", first: "newest" },
      cell: ({ callDate }) => (
        <time dateTime={callDate}>
          {formatDate(callDate)}, {formatTime(callDate)}
        </time>
      ),
    },
    duration: { width: 4.5, isEnd: true, cell: (log) => <Duration log={log} /> },
    notes: {
      width: 9,
      grow: 2,
      cell: ({ notes }) => orNothing(notes && <span title={notes}>{notes}</span>),
    },
    rep: { width: 8, grow: 0.5, cell: ({ salesRepName }) => orNothing(salesRepName) },
    type: { width: 6, cell: ({ direction }) => t(direction) },
    company: { width: 8, grow: 0.5, cell: ({ leadCompany }) => orNothing(leadCompany) },
    voicemail: {
      width: 9,
      grow: 1.5,
      cell: ({ transcription }) =>
        orNothing(transcription && <span title={transcription}>{transcription}</span>),
    },
  };
  const labels = logColumnLabels(t);
  const keys = shown.split(",").filter((key): key is LogColumnKey => key in all);
  return ["name" as const, ...keys.filter((key) => key !== "name")].map((key) => ({
    key,
    label: labels[key],
    ...all[key],
  }));
}

/** Opens the call's card with its player; the button covers the whole row. */
export const openColumn = (t: T, onOpen: (log: CallLog) => void): ListColumn<CallLog, CallLogSort> => ({
  key: "open",
  label: t("column_open"),
  width: window.matchMedia("(pointer: coarse)").matches ? 2.75 : 2,
  isEnd: true,
  isFree: true,
  cell: (log) => {
    const label = t(log.recordingSid ? "openRecorded" : "openCall", { name: callerName(log, t) });
    const Icon = log.recordingSid ? AudioLines : ChevronRight;
    return (
      <Button
        variant={log.recordingSid ? "soft" : "ghost"}
        size="row"
        data-control="open"
        className="static after:absolute after:inset-0"
        aria-label={label}
        title={label}
        onClick={() => onOpen(log)}
      >
        <Icon aria-hidden />
      </Button>
    );
  },
});
