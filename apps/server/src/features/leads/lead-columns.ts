import { csvCell } from "../../db/sql/csv-cell.ts";

const { text, number, instant } = csvCell;

/** The columns of exported leads `l` and their consultants `u`, each a cell in SQL; an import reads them by these names again. */
export const leadColumns = {
  "Lead ID": "l.id::text",
  Name: text("l.name"),
  "First Name": text("l.first_name"),
  "Last Name": text("l.last_name"),
  Email: text("l.email"),
  Phone: text("l.phone"),
  Company: text("l.company"),
  Industry: text("l.industry"),
  Status: text("l.status"),
  Priority: text("l.priority"),
  "Lead Source": text("l.lead_source"),
  "Deal Value": number("l.deal_value"),
  Notes: text("l.notes"),
  "Assigned To": text("u.name"),
  Assigned: instant("l.assigned_at"),
  Created: instant("l.created_at"),
  "Last Contact": instant("l.last_contacted_at"),
  "Next Follow-up": instant("l.next_follow_up_date"),
  Converted: instant("l.converted_at"),
  "GHL Contact ID": text("l.ghl_contact_id"),
};
