import type { RowSizes } from "../../../ui/row-layout.ts";

export const rowSizes: RowSizes = { tableMin: 52, height: { table: 4, cards: 11 } };

export const columnClasses =
  "grid grid-cols-[2.75rem_minmax(0,1.35fr)_minmax(0,1.6fr)_minmax(0,1.15fr)_6.75rem_5.5rem_minmax(0,1fr)_6.75rem_6.75rem] items-center gap-x-3 pr-3";

export const rowClasses = {
  table: `${columnClasses} border-b text-[0.8125rem] leading-5`,
  cards:
    "grid grid-cols-[2.75rem_minmax(0,1fr)_auto] content-center items-start gap-x-2 gap-y-1 border-b pr-3 text-sm leading-5",
} as const;
