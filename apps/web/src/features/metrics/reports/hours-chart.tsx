import type { CallsReport, ReportRange } from "@portal/contract/entities/report";
import { callRows } from "../../../lib/drill-down.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { CallsChart } from "./calls-chart.tsx";
import { formatHour } from "./format-metrics.ts";
import { metricMessages } from "./messages.ts";
import { callsByHour } from "./metric-values.ts";

interface HoursChartProps {
  hours: CallsReport["hours"];
  range: ReportRange;
}

/** Calls by the hour of the day: when one reaches somebody. */
export function HoursChart({ hours, range }: HoursChartProps) {
  const t = useMessages(metricMessages);
  return (
    <CallsChart
      title={t("byHour")}
      head={t("hour")}
      layout="columns"
      points={callsByHour(hours).map(({ hour, ...figures }) => ({
        key: String(hour),
        label: formatHour(hour),
        ...figures,
      }))}
      rowsOf={(hour, outcome) => callRows({ range, outcome, hour: hour === null ? undefined : Number(hour) })}
    />
  );
}
