import type { PerformanceReport as Report, ReportRange } from "@portal/contract/entities/report";
import { callsLink } from "../../../lib/drill-down.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { CallsChart } from "./calls-chart.tsx";
import { metricMessages, reportMessages } from "./messages.ts";
import { nextSort, PerformanceTable, performanceRows, readSort } from "./performance-table.tsx";
import { performanceQuery } from "./queries.ts";
import { ReportCard, ReportView } from "./report-view.tsx";

/** Maximum number of bars that can be compared at a glance; the table has all consultants. */
const chartRows = 15;

interface PerformanceReportProps {
  range: ReportRange;
  sort: string | undefined;
  onSort: (sort: string) => void;
}

/** Report type `performance`: all consultants; for a consultant their own figures. */
export function PerformanceReport(props: PerformanceReportProps) {
  return (
    <ReportView query={performanceQuery(props.range)}>
      {(report) => <Consultants report={report} {...props} />}
    </ReportView>
  );
}

function Consultants({ report, sort, onSort }: PerformanceReportProps & { report: Report }) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const { range } = report.period;
  const order = readSort(sort);
  const rows = performanceRows(report, order);
  const callers = rows.filter(({ calls }) => calls > 0);
  const shown = callers.slice(0, chartRows);
  return (
    <>
      <ReportCard title={figure("consultants")} emptyHint={rows.length === 0 ? t("noConsultants") : null}>
        <PerformanceTable
          rows={rows}
          range={range}
          sort={order}
          onSort={(by) => onSort(nextSort(order, by))}
        />
      </ReportCard>
      <CallsChart
        title={figure("callsByConsultant")}
        subtitle={callers.length > chartRows ? figure("firstOf", { count: chartRows }) : null}
        head={figure("consultant")}
        layout="rows"
        points={shown.map(({ userId, name, calls, answered }) => ({
          key: String(userId),
          label: name,
          calls,
          answered,
        }))}
        // The sum of all bars has no link of its own.
        rowsOf={(rep, outcome) =>
          rep === null ? undefined : callsLink({ range, rep: Number(rep), outcome })
        }
      />
    </>
  );
}
