import {
  type ReportPeriod,
  type ReportRange,
  type ReportType,
  reportRanges,
  reportTypes,
} from "@portal/contract/entities/report";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import type { Viewer } from "../../../lib/drill-down.ts";
import { formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Select } from "../../../ui/select.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { CallsReport } from "./calls-report.tsx";
import { formatDays } from "./format-metrics.ts";
import { LeadsReport } from "./leads-report.tsx";
import { reportMessages } from "./messages.ts";
import { OverviewReport } from "./overview-report.tsx";
import { PerformanceReport } from "./performance-report.tsx";
import { reportKey } from "./queries.ts";
import { defaultRange, defaultType, parseReportSearch, type ReportSearch } from "./report-search.ts";
import { type Shown, useExportReport, useIsShown } from "./use-export.ts";

/** Reports & Analytics: four reports over the last 7 days, the last 30, or all time. */
export function ReportsPage() {
  const t = useMessages(reportMessages);
  const { data: viewer } = useQuery(currentUserQuery());
  const search = parseReportSearch(useSearch({ strict: false }));
  const { type = defaultType, range = defaultRange, sort } = search;
  const navigate = useNavigate();
  function change(next: ReportSearch): void {
    void navigate({ to: ".", search: { ...search, ...next }, resetScroll: false });
  }
  if (!viewer) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader
        title={t("title")}
        subtitle={
          // On a phone with the final size, as the days arrive with the report and nothing should move.
          <span className="block max-sm:min-h-[2lh] max-sm:min-w-[calc(100vw-2rem)]">
            <ScopeLine viewer={viewer} type={type} range={range} />
          </span>
        }
        actions={<ExportButton type={type} range={range} sort={sort} />}
      />
      <Tabs
        value={type}
        onValueChange={(value) => change({ type: value === defaultType ? undefined : (value as ReportType) })}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <TabsList aria-label={t("types")}>
            {reportTypes.map((value) => (
              <TabsTrigger key={value} value={value} ref={value === type ? reveal : undefined}>
                {t(`type_${value}`)}
              </TabsTrigger>
            ))}
          </TabsList>
          <Select<ReportRange>
            aria-label={t("rangeFilter")}
            className="w-auto min-w-40 max-sm:w-full"
            value={range}
            onValueChange={(value) => change({ range: value === defaultRange ? undefined : value })}
            options={reportRanges.map((value) => ({ value, label: t(`range_${value}`) }))}
          />
        </div>
        <TabsContent value={type}>
          <Report
            type={type}
            range={range}
            sort={sort}
            viewer={viewer}
            onSort={(next) => change({ sort: next })}
          />
        </TabsContent>
      </Tabs>
    </div>
  );
}

/** Scrolls the selected tab into view, where the tabs are wider than the screen. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function Report({
  type,
  range,
  sort,
  viewer,
  onSort,
}: Shown & { viewer: Viewer; onSort: (sort: string) => void }) {
  switch (type) {
    case "overview":
      return <OverviewReport range={range} viewer={viewer} />;
    case "calls":
      return <CallsReport range={range} />;
    case "leads":
      return <LeadsReport range={range} viewer={viewer} />;
    case "performance":
      return <PerformanceReport range={range} sort={sort} onSort={onSort} />;
  }
}

function ExportButton(shown: Shown) {
  const t = useMessages(reportMessages);
  const isShown = useIsShown(shown);
  const exportReport = useExportReport();
  return (
    <Button
      variant="secondary"
      disabled={!isShown}
      pending={exportReport.isPending}
      onClick={() => exportReport.mutate(shown)}
    >
      <Download aria-hidden />
      {t("export")}
    </Button>
  );
}

interface ScopeLineProps {
  viewer: Viewer;
  type: ReportType;
  range: ReportRange;
}

/** Whose figures are shown, and of which days. */
function ScopeLine({ viewer, type, range }: ScopeLineProps) {
  const t = useMessages(reportMessages);
  // The report itself fetches this; here its period is shown.
  const { data } = useQuery<{ period: ReportPeriod }>({ queryKey: reportKey(type, range), enabled: false });
  const who = t(viewer.role === "admin" ? "scopeEveryone" : "scopeOwn");
  const from = data?.period.from;
  const period =
    data && from
      ? t("days", {
          days: formatDays({ ...data.period, from }),
          zone: formatZoneCity(data.period.timeZone),
        })
      : t(`range_${range}`);
  return t("scopeLine", { who, period });
}
