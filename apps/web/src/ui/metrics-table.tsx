import type { ReactNode } from "react";
import { Cell, FootRow, HeadCell, RowName, SortButton, type SortState, Table, TableRow } from "./table.tsx";

export interface MetricsColumn<T> {
  key: string;
  label: string;
  /** Right-aligned, with digits of equal width. */
  isNumber?: boolean;
  cell: (row: T) => ReactNode;
  /** Hidden on phones, where its content is shown elsewhere. */
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
  /** Called with a column's key; undefined if the table cannot be sorted. */
  onSort?: (by: string) => void;
  /** Name of the row of totals, if there is one. */
  totalLabel?: string;
}

const wideClasses = "max-sm:hidden";

/** A table of metrics; the first column names the row. On narrower screens it scrolls. */
export function MetricsTable<T>({ caption, columns, rows, keyOf, ...rest }: MetricsTableProps<T>) {
  const { sort, onSort, totalLabel } = rest;
  return (
    <Table
      isScrolled
      caption={caption}
      head={columns.map(({ key, label, isNumber, isWide }) => (
        <HeadCell
          key={key}
          isNumber={isNumber}
          {...(onSort && { "aria-sort": sortStateOf(key, sort) })}
          className={isWide ? wideClasses : undefined}
        >
          {onSort ? (
            <SortButton label={label} state={sortStateOf(key, sort)} onPress={() => onSort(key)} />
          ) : (
            label
          )}
        </HeadCell>
      ))}
      foot={
        totalLabel ? (
          <FootRow>
            <RowName>{totalLabel}</RowName>
            {columns.slice(1).map(({ key, isNumber, isWide, total }) => (
              <Cell key={key} isNumber={isNumber} className={isWide ? wideClasses : undefined}>
                {total}
              </Cell>
            ))}
          </FootRow>
        ) : null
      }
    >
      {rows.map((row) => (
        <TableRow key={keyOf(row)}>
          {columns.map(({ key, isNumber, isWide, cell }, index) =>
            index === 0 ? (
              <RowName key={key} className="min-w-28">
                {cell(row)}
              </RowName>
            ) : (
              <Cell key={key} isNumber={isNumber} className={isWide ? wideClasses : undefined}>
                {cell(row)}
              </Cell>
            ),
          )}
        </TableRow>
      ))}
    </Table>
  );
}

function sortStateOf(key: string, sort: TableSort | undefined): SortState {
  if (sort?.by !== key) return "none";
  return sort.isDescending ? "descending" : "ascending";
}
