import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { uiMessages } from "./messages.ts";

export interface MetricsColumn<T> {
  key: string;
  label: string;
  /** Right-aligned, with figures of one width. */
  isNumber?: boolean;
  cell: (row: T) => ReactNode;
  /** Left out on telephones, where what it says stands elsewhere. */
  isWide?: boolean;
  /** In the row of totals. */
  total?: ReactNode;
}

export interface TableSort {
  by: string;
  isDescending: boolean;
}

interface MetricsTableProps<T> {
  caption: string;
  columns: readonly MetricsColumn<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  sort?: TableSort;
  /** Sorting by its columns, where it can be sorted. */
  onSort?: (by: string) => void;
  /** Name of the row of totals, where there is one. */
  totalLabel?: string;
}

/** A table of figures; the first column names the row. It scrolls by itself where the screen is narrower. */
export function MetricsTable<T>({ caption, columns, rows, keyOf, ...rest }: MetricsTableProps<T>) {
  const { sort, onSort, totalLabel } = rest;
  const t = useMessages(uiMessages);
  return (
    <section
      aria-label={t("table", { name: caption })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: reached by keys, so that they can scroll it.
      tabIndex={0}
      className="max-w-full overflow-x-auto rounded-lg border"
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b bg-muted text-muted-foreground">
            {columns.map(({ key, label, isNumber, isWide }) => (
              <th
                key={key}
                scope="col"
                {...(onSort && { "aria-sort": ariaSort(key, sort) })}
                className={cn(
                  "px-2 py-2 font-medium sm:px-3",
                  isNumber ? "text-end" : "text-start",
                  isWide && "max-sm:hidden",
                )}
              >
                {onSort ? (
                  <SortButton label={label} state={ariaSort(key, sort)} onPress={() => onSort(key)} />
                ) : (
                  label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b last:border-b-0 hover:bg-muted/50">
              {columns.map(({ key, isNumber, isWide, cell }, index) =>
                index === 0 ? (
                  <th
                    key={key}
                    scope="row"
                    // A word without an end must not push the figures out of sight.
                    className="min-w-28 px-2 py-2 pointer-coarse:py-3 text-start font-medium [overflow-wrap:anywhere] sm:px-3"
                  >
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={key}
                    className={cn(
                      "px-2 py-2 pointer-coarse:py-3 sm:px-3",
                      isNumber && "text-end tabular-nums",
                      isWide && "max-sm:hidden",
                    )}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {totalLabel ? (
          <tfoot>
            <tr className="border-t bg-muted font-semibold">
              <th scope="row" className="px-2 py-2 text-start sm:px-3">
                {totalLabel}
              </th>
              {columns.slice(1).map(({ key, isNumber, total }) => (
                <td key={key} className={cn("px-2 py-2 sm:px-3", isNumber && "text-end tabular-nums")}>
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}

type AriaSort = "ascending" | "descending" | "none";

function ariaSort(key: string, sort: TableSort | undefined): AriaSort {
  if (sort?.by !== key) return "none";
  return sort.isDescending ? "descending" : "ascending";
}

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

function SortButton({ label, state, onPress }: { label: string; state: AriaSort; onPress: () => void }) {
  const Icon = sortIcons[state];
  return (
    <button
      type="button"
      onClick={onPress}
      className="inline-flex items-center gap-1 whitespace-nowrap rounded-sm hover:text-foreground pointer-coarse:min-h-11"
    >
      {label}
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}
