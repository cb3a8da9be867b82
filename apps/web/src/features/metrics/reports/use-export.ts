import type {
  CallsReport,
  LeadsReport,
  OverviewReport,
  PerformanceReport,
  ReportRange,
  ReportType,
} from "@portal/contract/entities/report";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { fetchCode } from "../../../lib/connection.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { toast } from "../../../ui/toast.ts";
import { saveFile } from "../../../ui/use-export.ts";
import type { ExportTable } from "./export-rows.ts";
import { reportMessages } from "./messages.ts";
import { reportKey } from "./queries.ts";

export interface Shown {
  type: ReportType;
  range: ReportRange;
  sort: string | undefined;
}

/** The table of the shown report, made from its cached figures. */
async function shownTable(client: QueryClient, { type, range, sort }: Shown): Promise<ExportTable> {
  const tables = await fetchCode(() => import("./export-rows.ts"));
  const report: unknown = client.getQueryData(reportKey(type, range));
  if (report === undefined) throw new Error("nothing is shown yet");
  switch (type) {
    case "overview":
      return tables.overviewTable(report as OverviewReport);
    case "calls":
      return tables.callsTable(report as CallsReport);
    case "leads":
      return tables.leadsTable(report as LeadsReport);
    case "performance":
      return tables.performanceTable(report as PerformanceReport, sort);
  }
}

/** Whether the report of these filters is loaded and can be exported. */
export function useIsShown({ type, range }: Shown): boolean {
  const { data } = useQuery({ queryKey: reportKey(type, range), enabled: false });
  return data !== undefined;
}

/** Beginnings that spreadsheets treat as a formula, including the full-width forms of East Asian keyboards. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** Exports the shown report as CSV with formulas neutralised, and shows the number of rows. */
export function useExportReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (shown: Shown) => {
      const [{ default: Papa }, table] = await Promise.all([
        fetchCode(() => import("papaparse")),
        shownTable(client, shown),
      ]);
      const csv = Papa.unparse(table, { escapeFormulae: formula });
      // Spreadsheets recognise UTF-8 by the byte order mark.
      saveFile(
        new Blob([`\uFEFF${csv}\r\n`], { type: "text/csv;charset=utf-8" }),
        `report-${shown.type}-${shown.range}.csv`,
      );
      return table.data.length;
    },
    onSuccess: (count) => {
      const t = messagesOf(reportMessages);
      toast({ title: t("exportDoneTitle"), description: t("exportDoneText", { count }), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(reportMessages);
      toast({
        title: t("exportFailedTitle"),
        description: t("exportFailedText"),
        error,
        tone: "destructive",
      });
    },
  });
}
