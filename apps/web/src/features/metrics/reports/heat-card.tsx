import type { CallsReport, ReportRange } from "@portal/contract/entities/report";
import { cn } from "../../../lib/cn.ts";
import { callsLink } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useLanguage, useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { callsByHour, formatHour, formatWeekday } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import { ReportCard } from "./report-card.tsx";

/** Colours from few to many calls; each cell also shows its number. */
const levels = [
  "bg-[color-mix(in_oklab,var(--primary)_12%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--primary)_28%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--primary)_44%,var(--surface))]",
  "bg-primary text-primary-foreground",
] as const;

type HourFigures = CallsReport["hours"][number];

interface HeatCardProps {
  hours: readonly HourFigures[];
  range: ReportRange;
}

/** Calls by weekday and hour in the organization's zone; hours are rows, so that seven days fit on a phone. */
export function HeatCard({ hours, range }: HeatCardProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const isSpanish = useLanguage() === "es";
  // Weeks start on Monday in Spanish, on Sunday in English.
  const weekdays = isSpanish ? [1, 2, 3, 4, 5, 6, 7] : [7, 1, 2, 3, 4, 5, 6];
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const byPlace = new Map(hours.map((figures) => [figures.weekday * 24 + figures.hour, figures]));
  return (
    <ReportCard
      title={figure("heat")}
      emptyHint={hours.length === 0 ? t("noDataCalls") : null}
      action={<HeatLegend />}
    >
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs sm:border-spacing-1">
        <caption className="sr-only">{figure("heat")}</caption>
        <thead>
          <tr className="text-muted-foreground">
            <th scope="col" className="w-12 text-start font-medium sm:w-16">
              <span className="sr-only">{figure("hour")}</span>
            </th>
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col" className="pb-1 font-medium">
                <abbr title={formatWeekday(weekday, "long")} className="no-underline">
                  {formatWeekday(weekday, "short")}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {callsByHour([...hours]).map(({ hour }) => (
            <tr key={hour}>
              <th scope="row" className="whitespace-nowrap text-start font-normal text-muted-foreground">
                {formatHour(hour)}
              </th>
              {weekdays.map((weekday) => (
                <HeatCell
                  key={weekday}
                  figures={byPlace.get(weekday * 24 + hour)}
                  most={most}
                  range={range}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ReportCard>
  );
}

interface HeatCellProps {
  figures: HourFigures | undefined;
  most: number;
  range: ReportRange;
}

function HeatCell({ figures, most, range }: HeatCellProps) {
  const t = useMessages(metricMessages);
  if (!figures || figures.calls === 0) {
    return (
      <td className="h-8 pointer-coarse:h-11 rounded-sm bg-muted/60 text-center text-muted-foreground">
        <span className="sr-only">0</span>
      </td>
    );
  }
  const { weekday, hour, calls, answered } = figures;
  const name = t("heatCell", {
    weekday: formatWeekday(weekday, "long"),
    hour: formatHour(hour),
    calls: formatNumber(calls),
    answered: formatNumber(answered),
  });
  return (
    <td className="h-8 p-0 text-center pointer-coarse:h-11">
      <DrillDownLink
        rows={callsLink({ range, weekday, hour })}
        aria-label={name}
        title={name}
        className={cn(
          "grid h-8 place-items-center pointer-coarse:h-11 font-medium tabular-nums hover:outline-2 hover:outline-ring",
          levels[Math.ceil((calls * levels.length) / most) - 1],
        )}
      >
        {formatNumber(calls, { notation: "compact" })}
      </DrillDownLink>
    </td>
  );
}

function HeatLegend() {
  const t = useMessages(metricMessages);
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
      {t("fewer")}
      {levels.map((className) => (
        <span key={className} aria-hidden className={cn("size-3 rounded-xs border", className)} />
      ))}
      {t("more")}
    </p>
  );
}
