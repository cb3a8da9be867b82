import { countInbox } from "@portal/contract/routes/inbox";
import { routeQuery } from "../../lib/query-client.ts";

/** Number of waiting entries of the user's inbox; refetched at every event about SMS and calls. */
export function inboxCountQuery() {
  return routeQuery(countInbox);
}
