/** Where a page of the list begins: its cursor, and the number of rows before it. */
interface PageStart {
  readonly cursor: string | null;
  readonly from: number;
}

/** The pages of a list as far as it was read, without their rows; `end` is the number of rows once the last page is known. */
export interface PageChain {
  readonly starts: readonly PageStart[];
  readonly end: number | null;
}

export const unreadChain: PageChain = { starts: [{ cursor: null, from: 0 }], end: null };

/**
 * Takes what a page says of the next one. Where a page that is read again ends elsewhere than before, what was known of the pages after
 * it is forgotten.
 */
export function linkPage(
  chain: PageChain,
  index: number,
  page: { rows: number; nextCursor: string | null },
): PageChain {
  const start = chain.starts[index];
  if (!start) return chain;
  const end = start.from + page.rows;
  const upTo = chain.starts.slice(0, index + 1);
  if (page.nextCursor === null) {
    return chain.end === end && upTo.length === chain.starts.length ? chain : { starts: upTo, end };
  }
  const next = chain.starts[index + 1];
  if (next?.cursor === page.nextCursor && next.from === end) return chain;
  return { starts: [...upTo, { cursor: page.nextCursor, from: end }], end: null };
}

/** Numbers of the pages that hold rows from `first` to `last`, as far as pages are known. */
export function pagesBetween({ starts }: PageChain, first: number, last: number): readonly number[] {
  const pages: number[] = [];
  for (let index = pageOf(starts, first); index < starts.length; index += 1) {
    if (pages.length > 0 && (starts[index]?.from ?? 0) > last) break;
    pages.push(index);
  }
  return pages;
}

/** The page that holds a row; the last one known for rows beyond. */
function pageOf(starts: readonly PageStart[], row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.from ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
