import {
  type ReportRange,
  type ReportType,
  reportRanges,
  reportTypes,
} from "@portal/contract/entities/report";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import type { Viewer } from "../../lib/rows.ts";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Select } from "../../ui/select.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { CallsReport } from "./components/calls-report.tsx";
import { LeadsReport } from "./components/leads-report.tsx";
import { OverviewReport } from "./components/overview-report.tsx";
import { PerformanceReport } from "./components/performance-report.tsx";
import { ScopeLine } from "./components/scope-line.tsx";
import { defaultRange, defaultType, parseReportSearch, type ReportSearch } from "./report-search.ts";
import { reportTexts } from "./texts.ts";
import { type Shown, useExportReport, useIsShown } from "./use-export.ts";

/** Reports & Analytics (specification §2): four reports of the last 7 days, the last 30, or all time. */
export function ReportsPage() {
  const t = useTexts(reportTexts);
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
          // On a phone as wide and as high as with its days, which come with the report: nothing moves then.
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

/** Where the tabs are wider than the screen, the chosen one is in sight. */
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
  const t = useTexts(reportTexts);
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
