import type { ConvertedClient } from "@portal/contract/routes/clients";
import type { ClientRow } from "./data.ts";

/** A client as the API answers it, field by field. */
export function presentClient(row: ClientRow): ConvertedClient {
  return {
    id: row.id,
    leadId: row.leadId,
    name: row.name,
    email: row.email,
    phone: row.phone,
    priority: row.priority,
    convertedDate: row.convertedAt.toISOString(),
    originalSource: row.leadSource,
    conversionValue: row.conversionValue,
    salesRepName: row.salesRepName,
    totalCalls: row.totalCalls,
    lastContactDate: row.lastContactedAt?.toISOString() ?? null,
  };
}
