import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowLayout } from "../../../ui/row-layout.ts";
import type { LeadSort } from "../all-leads-search.ts";
import { allLeadsTexts } from "../texts.ts";
import { columnClasses } from "./row-layout.ts";

interface TableHeadProps {
  layout: RowLayout;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
}

/** The column heads; two of them sort. Over cards they are only heard, and the order is chosen from a list. */
export function TableHead({ layout, sort, onSort }: TableHeadProps) {
  const t = useTexts(allLeadsTexts);
  const isTable = layout === "table";
  const head = (label: string) => <Head key={label}>{label}</Head>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows below are placed by hand, so that these are no table's either.
    <div role="rowgroup" className={isTable ? "sticky top-[calc(var(--chrome)+3.75rem)] z-10" : "sr-only"}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above. */}
      <div
        role="row"
        aria-rowindex={1}
        className={cn(
          columnClasses,
          "h-10 rounded-t-xl border-b bg-surface font-medium text-muted-foreground text-xs",
        )}
      >
        <Head>
          <span className="sr-only">{t("selectColumn")}</span>
        </Head>
        {isTable ? (
          <SortHead label={t("lead")} up="name" down="name_desc" sort={sort} onSort={onSort} />
        ) : (
          head(t("lead"))
        )}
        {head(t("contact"))}
        {head(t("company"))}
        {head(t("status"))}
        {head(t("priority"))}
        {head(t("assignedTo"))}
        {isTable ? (
          <SortHead label={t("created")} up="oldest" down="newest" sort={sort} onSort={onSort} />
        ) : (
          head(t("created"))
        )}
        {head(t("assignmentDate"))}
      </div>
    </div>
  );
}

function Head({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as the row.
    <div role="columnheader" className="min-w-0 truncate">
      {children}
    </div>
  );
}

interface SortHeadProps {
  label: string;
  up: LeadSort;
  down: LeadSort;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
}

function SortHead({ label, up, down, sort, onSort }: SortHeadProps) {
  const state = sort === up ? "ascending" : sort === down ? "descending" : "none";
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[state];
  // Dates begin with the newest, names with A.
  const first = down === "newest" ? down : up;
  const next = sort === first ? (first === up ? down : up) : first;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as the row.
    <div role="columnheader" aria-sort={state} className="min-w-0">
      <button
        type="button"
        className={cn(
          "-mx-1.5 inline-flex h-8 items-center gap-1 rounded-md px-1.5 hover:bg-muted pointer-coarse:h-11",
          state !== "none" && "text-foreground",
        )}
        onClick={() => onSort(next)}
      >
        {label}
        <Icon aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}
