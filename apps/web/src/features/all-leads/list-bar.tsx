import { limits } from "@portal/contract/limits";
import { Braces, ChevronDown, Download, Sheet, UserRoundCheck, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { cn } from "../../lib/cn.ts";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import type { RowSelection } from "../../lib/long-list/use-row-selection.ts";
import { Button } from "../../ui/button.tsx";
import { SelectBox } from "../../ui/checkbox.tsx";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { BulkMenu } from "../leads/bulk/bulk-menu.tsx";
import { ChangesButton } from "../leads/bulk/changes-button.tsx";
import type { AllLeadsSearch } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";
import { useExportLeads, useSelectAll } from "./queries.ts";

const AssignManyDialog = lateComponent(() => import("../leads/bulk/assign-many-dialog.tsx"));

interface ListBarProps {
  /** The number of leads found, as text. */
  found: ReactNode;
  /** The number of leads found; null if it was capped. */
  total: number | null;
  query: AllLeadsSearch;
  selection: RowSelection;
  className: string | undefined;
}

/** A sticky bar above the rows: the number of leads, or the selection with its actions. */
export function ListBar({ found, total, query, selection, className }: ListBarProps) {
  const t = useMessages(allLeadsMessages);
  const selectAll = useSelectAll(query, selection.replace);
  const assign = useRef<HTMLButtonElement>(null);
  const ids = [...selection.ids];
  const count = ids.length;
  const clear = () => selection.replace([]);
  const onAssign = () =>
    openDialog((close) => (
      <AssignManyDialog ids={ids} onDone={clear} onClose={close} returnFocusTo={assign} />
    ));
  return (
    <section
      aria-label={count > 0 ? t("selection") : t("table")}
      className={cn(
        "sticky top-(--chrome) z-20 flex min-h-15 items-center gap-2 bg-background py-2",
        className,
      )}
    >
      <SelectBox
        title={t("selectAllHint", { max: formatNumber(limits.leadSelectionMax) })}
        aria-label={t("selectAll")}
        isOff={selectAll.isPending || selection.isLocked}
        isPartly={count > 0 && count !== total && !selection.isFull}
        checked={count > 0}
        onChange={() => (count > 0 ? selection.replace([]) : selectAll.mutate(query))}
      />
      <p
        role="status"
        className="line-clamp-2 min-w-0 flex-1 text-muted-foreground text-sm tabular-nums leading-4.5"
      >
        {count === 0 ? found : null}
        {count > 0 && !selection.isFull ? t("selected", { count }) : null}
        {selection.isFull ? t("selectedMax", { max: formatNumber(count) }) : null}
      </p>
      {count > 0 ? (
        <>
          <Button
            variant="ghost"
            size="icon"
            className="max-sm:hidden"
            aria-label={t("clearSelection")}
            title={t("clearSelection")}
            onClick={clear}
          >
            <X aria-hidden />
          </Button>
          <BulkMenu ids={ids} onDone={clear} />
          <Button ref={assign} className="max-sm:hidden" onClick={onAssign}>
            <UserRoundCheck aria-hidden />
            {t("assign")}
          </Button>
        </>
      ) : null}
      {count === 0 ? <ChangesButton /> : null}
      <ExportMenu query={query} ids={count > 0 ? ids : null} />
    </section>
  );
}

/** Exports the selected leads, or all of the filter, as CSV or JSON. */
function ExportMenu({ query, ids }: { query: AllLeadsSearch; ids: readonly number[] | null }) {
  const t = useMessages(allLeadsMessages);
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
