import { listSalesReps } from "@portal/contract/routes/assignment";
import { routeQuery } from "./query-client.ts";

/** Active consultants; read anew whenever somebody asks. */
export function salesRepsQuery() {
  return { ...routeQuery(listSalesReps), staleTime: 0 };
}
