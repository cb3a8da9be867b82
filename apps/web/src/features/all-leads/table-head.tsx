import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { useMessages } from "../../lib/i18n.ts";
import type { RowLayout, RowSizes } from "../../ui/row-layout.ts";
import type { LeadSort } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";

export const rowSizes: RowSizes = { tableMin: 52, height: { table: 4, cards: 11 } };

const columnClasses =
  "grid grid-cols-[2.75rem_minmax(0,1.35fr)_minmax(0,1.6fr)_minmax(0,1.15fr)_6.75rem_5.5rem_minmax(0,1fr)_6.75rem_6.75rem] items-center gap-x-3 pr-3";

export const rowClasses = {
  table: `${columnClasses} border-b text-[0.8125rem] leading-5`,
  cards:
    "grid grid-cols-[2.75rem_minmax(0,1fr)_auto] content-center items-start gap-x-2 gap-y-1 border-b pr-3 text-sm leading-5",
} as const;

interface TableHeadProps {
  layout: RowLayout;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
}

/** The column heads; two of them sort. Over cards they are only heard, and the order is chosen from a list. */
export function TableHead({ layout, sort, onSort }: TableHeadProps) {
  const t = useMessages(allLeadsMessages);
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
