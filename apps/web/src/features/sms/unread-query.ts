import { getUnreadMessages } from "@portal/contract/routes/sms";
import { routeQuery } from "../../lib/query-client.ts";

/** How many texts wait to be seen; read anew with every event about texts. */
export function unreadQuery() {
  return routeQuery(getUnreadMessages);
}
