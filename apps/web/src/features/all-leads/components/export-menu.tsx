import { Braces, ChevronDown, Download, Sheet } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu.tsx";
import type { AllLeadsSearch } from "../all-leads-search.ts";
import { useExportLeads } from "../queries.ts";
import { allLeadsTexts } from "../texts.ts";

/** Saves the selected leads, or all that the filters find, as CSV or JSON. */
export function ExportMenu({ query, ids }: { query: AllLeadsSearch; ids: readonly number[] | null }) {
  const t = useTexts(allLeadsTexts);
  const save = useExportLeads();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" className="max-sm:[&_svg]:hidden" pending={save.isPending}>
          <Download aria-hidden />
          {t("export")}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => save.mutate({ query, ids, format: "csv" })}>
          <Sheet aria-hidden />
          {t("exportCsv")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => save.mutate({ query, ids, format: "json" })}>
          <Braces aria-hidden />
          {t("exportJson")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
