import { Braces, ChevronDown, Download, Sheet } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import type { HistorySearch } from "../history-filters.ts";
import { useExportLogs } from "../queries.ts";
import { historyTexts } from "../texts.ts";

/** Saves what the filters show, as CSV or JSON. */
export function ExportButton({ filters }: { filters: HistorySearch }) {
  const t = useTexts(historyTexts);
  const exportLogs = useExportLogs();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" pending={exportLogs.isPending}>
          <Download aria-hidden />
          {t("export")}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => exportLogs.mutate({ filters, format: "csv" })}>
          <Sheet aria-hidden />
          {t("exportCsv")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => exportLogs.mutate({ filters, format: "json" })}>
          <Braces aria-hidden />
          {t("exportJson")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
