import type { RowSizes } from "../../../ui/row-layout.ts";

export const rowSizes: RowSizes = { tableMin: 54, height: { table: 4, cards: 11.5 } };

export const columnClasses =
  "grid grid-cols-[minmax(0,1.2fr)_minmax(0,1.5fr)_minmax(0,1fr)_6.5rem_minmax(0,0.9fr)_4.5rem_8rem_5.75rem] items-center gap-x-3 px-4";

export const rowClasses = {
  table: `${columnClasses} text-[0.8125rem] leading-5`,
  cards:
    "grid grid-cols-[minmax(0,1fr)_auto] content-center items-start gap-x-3 gap-y-1 px-4 text-sm leading-5",
} as const;
