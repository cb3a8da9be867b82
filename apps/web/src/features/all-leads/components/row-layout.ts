/** A row with columns, or a card where the list is too narrow for them. */
export type RowLayout = "table" | "cards";

/** Narrowest list, in rem, that holds the columns. */
const tableMinRem = 52;
/** Every row is as high as the others, in rem: so a row's place is known before it is read. */
const rowRem = { table: 4, cards: 11 } as const;

export const columnClasses =
  "grid grid-cols-[2.75rem_minmax(0,1.35fr)_minmax(0,1.6fr)_minmax(0,1.15fr)_6.75rem_5.5rem_minmax(0,1fr)_6.75rem_6.75rem] items-center gap-x-3 pr-3";

export const rowClasses = {
  table: `${columnClasses} border-b text-[0.8125rem] leading-5`,
  cards:
    "grid grid-cols-[2.75rem_minmax(0,1fr)_auto] content-center items-start gap-x-2 gap-y-1 border-b pr-3 text-sm leading-5",
} as const;

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

export function layoutOf(widthPx: number): RowLayout {
  return widthPx >= tableMinRem * remPx() ? "table" : "cards";
}

export function rowPx(layout: RowLayout): number {
  return Math.round(rowRem[layout] * remPx());
}
