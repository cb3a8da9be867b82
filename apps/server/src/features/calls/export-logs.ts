import type { CallLog } from "@portal/contract/entities/call";
import type { CsvColumn } from "../../http/csv.ts";

/** The columns of exported call logs. */
export const logColumns: CsvColumn<CallLog>[] = [
  { header: "Date", of: (log) => log.callDate },
  { header: "Lead", of: (log) => log.leadName },
  { header: "Lead ID", of: (log) => log.leadId },
  { header: "Company", of: (log) => log.leadCompany },
  { header: "Outcome", of: (log) => log.outcome },
  { header: "Confirmed", of: (log) => (log.confirmed ? "yes" : "no") },
  { header: "Direction", of: (log) => log.direction },
  { header: "Call type", of: (log) => log.callType },
  { header: "Duration (seconds)", of: (log) => log.duration },
  { header: "Notes", of: (log) => log.notes },
  { header: "Sales rep", of: (log) => log.salesRepName },
  { header: "Call SID", of: (log) => log.twilioCallSid },
  { header: "Recording SID", of: (log) => log.recordingSid },
  { header: "Caller number", of: (log) => log.callerNumber },
];
