import { getCallAnalytics } from "@portal/contract/routes/analytics";
import { routeQuery } from "../../lib/query-client.ts";
import type { AnalyticsSearch } from "./analytics-search.ts";

/** Figures of the filters, read anew whenever they are shown again; live events do the rest. */
export function analyticsQuery({ range, status }: AnalyticsSearch) {
  return {
    ...routeQuery(getCallAnalytics, { query: { ...(range && { range }), ...(status && { status }) } }),
    staleTime: 0,
  };
}
