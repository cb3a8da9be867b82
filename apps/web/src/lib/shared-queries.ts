import { getSettings } from "@portal/contract/routes/account";
import { listSalesReps } from "@portal/contract/routes/assignment";
import { routeQuery } from "./query-client.ts";

/** The user's settings that are not part of the current user. */
export const settingsQuery = () => routeQuery(getSettings);

/** Active consultants; fetched on every mount. */
export function salesRepsQuery() {
  return { ...routeQuery(listSalesReps), staleTime: 0 };
}
