/** Narrowest card and the gap between two, in px: `gridClasses` says the same in CSS. */
const cardMinPx = 328;
export const gridGapPx = 16;

export const gridClasses = "grid grid-cols-[repeat(auto-fill,minmax(min(100%,20.5rem),1fr))] gap-4";

/** How many cards stand side by side in a list of this width. */
export function columnsOf(widthPx: number): number {
  return Math.max(1, Math.floor((widthPx + gridGapPx) / (cardMinPx + gridGapPx)));
}
