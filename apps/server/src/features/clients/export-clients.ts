import type { ConvertedClient } from "@portal/contract/routes/clients";
import type { CsvColumn } from "../../http/csv.ts";

/** The columns of exported clients. */
export const clientColumns: CsvColumn<ConvertedClient>[] = [
  { header: "Name", of: (client) => client.name },
  { header: "Email", of: (client) => client.email },
  { header: "Phone", of: (client) => client.phone },
  { header: "Priority", of: (client) => client.priority },
  { header: "Converted", of: (client) => client.convertedDate },
  { header: "Original source", of: (client) => client.originalSource },
  { header: "Value", of: (client) => client.conversionValue },
  { header: "Sales rep", of: (client) => client.salesRepName },
  { header: "Total calls", of: (client) => client.totalCalls },
  { header: "Last contact", of: (client) => client.lastContactDate },
  { header: "Client ID", of: (client) => client.id },
  { header: "Lead ID", of: (client) => client.leadId },
];
