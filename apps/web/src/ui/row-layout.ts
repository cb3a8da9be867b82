/** A row with columns, or a card where the list is too narrow for them. */
export type RowLayout = "table" | "cards";

/** In rem: the narrowest list that holds the columns, and how high each row is: so a row's place is known before it is read. */
export interface RowSizes {
  readonly tableMin: number;
  readonly height: Readonly<Record<RowLayout, number>>;
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

export function layoutOf(widthPx: number, { tableMin }: RowSizes): RowLayout {
  return widthPx >= tableMin * remPx() ? "table" : "cards";
}

export function rowPx(layout: RowLayout, { height }: RowSizes): number {
  return Math.round(height[layout] * remPx());
}
