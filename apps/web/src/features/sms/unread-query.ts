import { getUnreadMessages } from "@portal/contract/routes/sms";
import { routeQuery } from "../../lib/query-client.ts";

/** Number of unread SMS; refetched at every event about SMS. */
export function unreadQuery() {
  return routeQuery(getUnreadMessages);
}
