import type { Integration } from "@portal/contract/entities/diagnostics";
import { checkIntegration } from "@portal/contract/routes/integrations";
import { routeQuery } from "../../lib/query-client.ts";

/** One integration, looked at anew on every visit. */
export function diagnosticQuery(integration: Integration) {
  return { ...routeQuery(checkIntegration, { params: { integration } }), staleTime: 0 };
}
