import type { CallLog } from "@portal/contract/entities/call";
import type { InfiniteData } from "@tanstack/react-query";
import type { Page } from "../../lib/query-client.ts";

type Pages = InfiniteData<Page<CallLog[]>, unknown>;

/**
 * Puts the newest page into a list that is read far down: known logs are replaced where they stand, new ones go on top. So an event
 * costs one read, not one for each page that was scrolled through.
 */
export function mergeNewest(known: Pages, newest: Page<CallLog[]>): Pages {
  const fresh = new Map(newest.items.map((log) => [log.id, log]));
  const pages = known.pages.map((page) => ({
    ...page,
    items: page.items.map((log) => {
      const replacement = fresh.get(log.id);
      fresh.delete(log.id);
      return replacement ?? log;
    }),
  }));
  const [first, ...rest] = pages;
  if (!first) return known;
  const added = newest.items.filter(({ id }) => fresh.has(id));
  return { ...known, pages: [{ ...first, total: newest.total, items: [...added, ...first.items] }, ...rest] };
}
