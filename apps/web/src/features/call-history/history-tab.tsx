import type { CallLog } from "@portal/contract/entities/call";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Clock, History, PhoneCall, PhoneIncoming, Voicemail } from "lucide-react";
import { useMemo } from "react";
import { callsLink } from "../../lib/drill-down.ts";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { rowCardClasses } from "../../ui/card.tsx";
import { DrillDownLink } from "../../ui/drill-down-link.tsx";
import { EmptyState, PartFailed } from "../../ui/list-states.tsx";
import { PagedList } from "../../ui/paged-list.tsx";
import { StatCard, StatCards } from "../../ui/stat-card.tsx";
import { StatStrip, StripButton, StripOpener } from "../../ui/stat-strip.tsx";
import { useLoudspeaker } from "../telephony/player/player-store.ts";
import { type HistorySearch, hasActiveFilter } from "./history-search.ts";
import { HistoryChips, HistoryToolbar } from "./history-toolbar.tsx";
import { LogEntry } from "./log-entry.tsx";
import { LogRows } from "./log-rows.tsx";
import { historyMessages } from "./messages.ts";
import { MissedCalls } from "./missed-calls.tsx";
import { missedCountQuery } from "./missed-query.ts";
import { logPages, recordingUrl, summaryQuery, useFreshLogs } from "./queries.ts";

const estimatedRowPx = 132;
const idOf = ({ id }: CallLog) => id;
const soundOf = ({ recordingSid }: CallLog) => recordingSid && recordingUrl(recordingSid);

interface HistoryTabProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch, options?: { replace?: boolean }) => void;
}

/** The filtered logs with their figures. */
export function HistoryTab({ filters, onChange }: HistoryTabProps) {
  const t = useMessages(historyMessages);
  return (
    <>
      <MissedCalls />
      <HistoryToolbar filters={filters} onChange={onChange} />
      <HistoryChips filters={filters} onChange={onChange} />
      <SummaryCards filters={filters} />
      {filters.unknown ? null : (
        <p className="text-sm">
          <DrillDownLink rows={callsLink({ unknown: "true" })}>{t("unknownCalls")}</DrillDownLink>
        </p>
      )}
      <LogCards filters={filters} />
    </>
  );
}

interface HistoryListProps extends HistoryTabProps {
  /** Show the missed calls, whose number the page's strip shows. */
  areMissedOpen: boolean;
}

/** The filtered logs as single-line rows. */
export function HistoryList({ filters, onChange, areMissedOpen }: HistoryListProps) {
  return (
    <>
      {areMissedOpen ? <MissedCalls /> : null}
      <HistoryToolbar filters={filters} onChange={onChange} />
      <HistoryChips filters={filters} onChange={onChange} />
      <LogRows
        filters={filters}
        onSort={(sort) => onChange({ ...filters, sort: sort === "newest" ? undefined : sort })}
      />
    </>
  );
}

/** The logs as cards with their recordings. */
function LogCards({ filters }: { filters: HistorySearch }) {
  const t = useMessages(historyMessages);
  const playing = useLoudspeaker();
  const found = useInfiniteQuery({ ...logPages(filters), placeholderData: keepPreviousData });
  const { data } = found;
  useFreshLogs(filters);
  const logs = useMemo(() => data && distinct(data.pages.flatMap(({ items }) => items)), [data]);
  return (
    <PagedList
      found={found}
      items={logs}
      keyOf={idOf}
      isKept={(log) => playing !== null && soundOf(log) === playing}
      label={t("list")}
      loading={t("loading")}
      failedTitle={t("loadFailedTitle")}
      estimatePx={estimatedRowPx}
      renderRow={(log) => <LogEntry log={log} />}
      empty={
        <EmptyState
          icon={History}
          title={t("emptyTitle")}
          description={hasActiveFilter(filters) ? t("emptyFiltered") : t("emptyUnfiltered")}
        />
      }
    />
  );
}

/** A log that moved between the fetches of two pages may be in both. */
function distinct(logs: readonly CallLog[]): readonly CallLog[] {
  const byId = new Map(logs.map((log) => [log.id, log]));
  return byId.size === logs.length ? logs : [...byId.values()];
}

/** Figures of the whole filter, not only of the loaded logs. */
function useFigures(filters: HistorySearch) {
  const t = useMessages(historyMessages);
  const found = useQuery({ ...summaryQuery(filters), placeholderData: keepPreviousData });
  const { data, isError } = found;
  const figures = [
    { label: t("totalCalls"), value: data?.totalCalls, icon: PhoneCall },
    { label: t("answered"), value: data?.answered, icon: PhoneIncoming },
    { label: t("voicemails"), value: data?.voicemails, icon: Voicemail },
    { label: t("totalMinutes"), value: data && Math.round(data.totalSeconds / 60), icon: Clock },
  ];
  const failed = !data && isError && { found, text: t("statsFailed") };
  return { figures, isLoading: !data && !isError, failed };
}

interface HistoryStripProps extends HistoryListProps {
  onMissed: (areOpen: boolean) => void;
}

/** The figures in one line above single-line rows; missed calls open below, unknown callers filter the rows. */
export function HistoryStrip({ filters, onChange, areMissedOpen, onMissed }: HistoryStripProps) {
  const t = useMessages(historyMessages);
  const { figures, failed } = useFigures(filters);
  const { data: missed = 0 } = useInfiniteQuery(missedCountQuery());
  return (
    <StatStrip
      label={t("figures")}
      failed={failed}
      figures={figures.map(({ label, value }) => ({
        label,
        value: value === undefined ? undefined : formatNumber(value),
      }))}
    >
      {missed > 0 || areMissedOpen ? (
        <StripOpener
          label={t("stripMissed")}
          count={missed}
          tone="danger"
          isOpen={areMissedOpen}
          onPress={() => onMissed(!areMissedOpen)}
        />
      ) : null}
      <StripButton
        label={t("stripUnknown")}
        isOn={filters.unknown === "true"}
        onPress={() => onChange({ ...filters, unknown: filters.unknown ? undefined : "true" })}
      />
    </StatStrip>
  );
}

/** The figures as tiles. */
function SummaryCards({ filters }: { filters: HistorySearch }) {
  const t = useMessages(historyMessages);
  const { figures, isLoading, failed } = useFigures(filters);
  if (failed) {
    return (
      <div className={rowCardClasses}>
        <h2 className="text-muted-foreground text-sm">{t("figures")}</h2>
        <PartFailed {...failed} />
      </div>
    );
  }
  return (
    <StatCards isLoading={isLoading}>
      {figures.map(({ label, value, icon }) => (
        <StatCard
          key={label}
          label={label}
          value={value === undefined ? undefined : formatNumber(value)}
          icon={icon}
        />
      ))}
    </StatCards>
  );
}
