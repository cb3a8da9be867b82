import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { DrillDownTarget } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useLateModule } from "../../../lib/late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { metricMessages, reportMessages } from "./messages.ts";
import { ReportCard } from "./report-view.tsx";
import type { SeriesChartProps } from "./series-chart.tsx";
import { type SeriesKey, SeriesSwatch } from "./series-swatch.tsx";

const load = () => import("./series-chart.tsx");

/** The chart; its library is loaded with the first one. */
export function LateChart(props: SeriesChartProps) {
  const module = useLateModule(load, true);
  return module ? <module.SeriesChart {...props} /> : <Skeleton className="h-65" />;
}

interface ChartCardProps {
  title: string;
  subtitle?: ReactNode;
  emptyHint: string | null;
  legend: ReactNode;
  chart: ReactNode;
  /** The same figures as a table. */
  table: ReactNode;
}

/** A chart that can be switched to a table. */
export function ChartCard({ legend, chart, table, ...card }: ChartCardProps) {
  const t = useMessages(reportMessages);
  const [isTable, setTable] = useState(false);
  return (
    <ReportCard
      {...card}
      action={
        <Button variant="ghost" size="sm" className="-me-2" onClick={() => setTable(!isTable)}>
          {isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          {t(isTable ? "showChart" : "showTable")}
        </Button>
      }
    >
      {isTable ? (
        table
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {legend}
          {chart}
        </div>
      )}
    </ReportCard>
  );
}

interface LegendEntry {
  series: SeriesKey;
  total: number;
  rows?: DrillDownTarget | undefined;
}

/** The legend with the total of each series; an entry links to its rows. */
export function ChartLegend({ entries }: { entries: readonly LegendEntry[] }) {
  const t = useMessages(metricMessages);
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {entries.map(({ series, total, rows }) => (
        <li key={series} className="inline-flex items-center gap-2">
          <SeriesSwatch series={series} />
          <DrillDownLink rows={rows} className="pointer-coarse:py-3">
            {t(series)} <span className="font-semibold tabular-nums">{formatNumber(total)}</span>
          </DrillDownLink>
        </li>
      ))}
    </ul>
  );
}
