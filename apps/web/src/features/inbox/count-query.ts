import { countInbox } from "@portal/contract/routes/inbox";
import { routeQuery } from "../../lib/query-client.ts";

/** How many wait in one's inbox; read anew with every event about texts and calls. */
export function inboxCountQuery() {
  return routeQuery(countInbox);
}
