import { getSettings } from "@portal/contract/routes/account";
import { listSalesReps } from "@portal/contract/routes/assignment";
import { routeQuery } from "./query-client.ts";

/** What the user's settings are, beside what the current user carries. */
export const settingsQuery = () => routeQuery(getSettings);

/** Active consultants; read anew whenever somebody asks. */
export function salesRepsQuery() {
  return { ...routeQuery(listSalesReps), staleTime: 0 };
}
