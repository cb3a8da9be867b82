import type { CallsReport, ReportRange } from "@portal/contract/entities/report";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows } from "../../../lib/rows.ts";
import { formatHour } from "../format-figures.ts";
import { callsByHour } from "../shown-figures.ts";
import { figureTexts } from "../texts.ts";
import { CallsChart } from "./calls-chart.tsx";

interface HoursChartProps {
  hours: CallsReport["hours"];
  range: ReportRange;
}

/** Calls by the hour of the day: when one reaches somebody. */
export function HoursChart({ hours, range }: HoursChartProps) {
  const t = useTexts(figureTexts);
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
