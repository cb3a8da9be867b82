import { listCallLogs } from "@portal/contract/routes/calls";
import { routePages } from "../../lib/query-client.ts";

/** Number of missed calls, from the total of a page with one row; refetched at every event about calls. */
export function missedCountQuery() {
  return {
    ...routePages(listCallLogs, { query: { missed: "true", limit: 1 } }),
    select: ({ pages }: { pages: { total: string | null }[] }) => Number.parseInt(pages[0]?.total ?? "0", 10),
  };
}
