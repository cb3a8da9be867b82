import { listCallLogs } from "@portal/contract/routes/calls";
import { routePages } from "../../lib/query-client.ts";

/** How many missed calls wait, by the total that comes with a page of one; read anew with every event about calls. */
export function missedCountQuery() {
  return {
    ...routePages(listCallLogs, { query: { missed: "true", limit: 1 } }),
    select: ({ pages }: { pages: { total: string | null }[] }) => Number.parseInt(pages[0]?.total ?? "0", 10),
  };
}
