import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Clock, PhoneCall, PhoneIncoming, Voicemail } from "lucide-react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { HistorySearch } from "../history-filters.ts";
import { summaryQuery } from "../queries.ts";
import { historyTexts } from "../texts.ts";

/** Figures of the whole filter, not only of what is loaded. */
export function SummaryCards({ filters }: { filters: HistorySearch }) {
  const t = useTexts(historyTexts);
  const { data, isError } = useQuery({ ...summaryQuery(filters), placeholderData: keepPreviousData });
  const cards = [
    { label: t("totalCalls"), value: data?.totalCalls, icon: PhoneCall },
    { label: t("answered"), value: data?.answered, icon: PhoneIncoming },
    { label: t("voicemails"), value: data?.voicemails, icon: Voicemail },
    { label: t("totalMinutes"), value: data && Math.round(data.totalSeconds / 60), icon: Clock },
  ];
  return (
    <dl className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4" aria-busy={!data && !isError}>
      {cards.map(({ label, value, icon: Icon }) => (
        <div
          key={label}
          className="flex min-w-0 flex-col-reverse gap-1 rounded-xl border bg-surface p-3 shadow-card sm:p-4"
        >
          <dt className="text-muted-foreground text-xs sm:text-sm">{label}</dt>
          <dd className="flex items-center justify-between font-semibold text-xl tabular-nums leading-8 sm:text-2xl">
            {value !== undefined ? formatNumber(value) : null}
            {value === undefined && !isError ? <Skeleton className="h-6 w-12" /> : null}
            {value === undefined && isError ? (
              <span title={t("statsFailed")}>
                <span aria-hidden>–</span>
                <span className="sr-only">{t("statsFailed")}</span>
              </span>
            ) : null}
            <Icon aria-hidden className="size-5 text-muted-foreground" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
