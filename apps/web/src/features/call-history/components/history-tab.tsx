import type { CallLog } from "@portal/contract/entities/call";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useMemo } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { PagedList } from "../../../ui/paged-list.tsx";
import { useLoudspeaker } from "../../player/one-player.ts";
import { type HistorySearch, hasActiveFilter } from "../history-filters.ts";
import { logPages, useFreshLogs } from "../queries.ts";
import { recordingUrl } from "../recording-url.ts";
import { historyTexts } from "../texts.ts";
import { HistoryChips } from "./history-chips.tsx";
import { HistoryToolbar } from "./history-toolbar.tsx";
import { LogEntry } from "./log-entry.tsx";
import { MissedCalls } from "./missed-calls.tsx";
import { SummaryCards } from "./summary-cards.tsx";

const estimatedRowPx = 132;
const idOf = ({ id }: CallLog) => id;
const soundOf = ({ recordingSid }: CallLog) => recordingSid && recordingUrl(recordingSid);

interface HistoryTabProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch, options?: { replace?: boolean }) => void;
  onOpenLead: (lead: { id: number; name: string }) => void;
}

/** The logged calls that match the filters, with their figures. */
export function HistoryTab({ filters, onChange, onOpenLead }: HistoryTabProps) {
  const t = useTexts(historyTexts);
  const playing = useLoudspeaker();
  const found = useInfiniteQuery({ ...logPages(filters), placeholderData: keepPreviousData });
  const { data } = found;
  useFreshLogs(filters);
  const logs = useMemo(() => data && distinct(data.pages.flatMap(({ items }) => items)), [data]);
  return (
    <>
      <MissedCalls />
      <HistoryToolbar filters={filters} onChange={onChange} />
      <HistoryChips filters={filters} onChange={onChange} />
      <SummaryCards filters={filters} />
      <PagedList
        found={found}
        items={logs}
        keyOf={idOf}
        isKept={(log) => playing !== null && soundOf(log) === playing}
        label={t("list")}
        loading={t("loading")}
        failedTitle={t("loadFailedTitle")}
        estimatePx={estimatedRowPx}
        renderRow={(log) => <LogEntry log={log} onOpenLead={onOpenLead} />}
        empty={
          <EmptyState
            icon={History}
            title={t("emptyTitle")}
            description={hasActiveFilter(filters) ? t("emptyFiltered") : t("emptyUnfiltered")}
          />
        }
      />
    </>
  );
}

/** A call that moved between two page reads may come twice. */
function distinct(logs: readonly CallLog[]): readonly CallLog[] {
  const byId = new Map(logs.map((log) => [log.id, log]));
  return byId.size === logs.length ? logs : [...byId.values()];
}
