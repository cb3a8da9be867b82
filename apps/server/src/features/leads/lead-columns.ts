import type { SystemLead } from "@portal/contract/routes/all-leads";
import type { CsvColumn } from "../../http/csv.ts";

/** The columns of exported leads; an import reads them by these names again. */
export const leadColumns: CsvColumn<SystemLead>[] = [
  { header: "Lead ID", of: (lead) => lead.id },
  { header: "Name", of: (lead) => lead.name },
  { header: "First Name", of: (lead) => lead.firstName },
  { header: "Last Name", of: (lead) => lead.lastName },
  { header: "Email", of: (lead) => lead.email },
  { header: "Phone", of: (lead) => lead.phone },
  { header: "Company", of: (lead) => lead.company },
  { header: "Industry", of: (lead) => lead.industry },
  { header: "Status", of: (lead) => lead.status },
  { header: "Priority", of: (lead) => lead.priority },
  { header: "Lead Source", of: (lead) => lead.leadSource },
  { header: "Deal Value", of: (lead) => lead.dealValue },
  { header: "Notes", of: (lead) => lead.notes },
  { header: "Assigned To", of: (lead) => lead.salesRepName },
  { header: "Assigned", of: (lead) => lead.assignedAt },
  { header: "Created", of: (lead) => lead.createdAt },
  { header: "Last Contact", of: (lead) => lead.lastContactedAt },
  { header: "Next Follow-up", of: (lead) => lead.nextFollowUpDate },
  { header: "Converted", of: (lead) => lead.convertedAt },
  { header: "GHL Contact ID", of: (lead) => lead.ghlContactId },
];
