import { pipeline, Readable } from "node:stream";
import type { CallLog } from "@portal/contract/entities/call";
import { stringify } from "csv-stringify";

const columns: { header: string; of(log: CallLog): string | number | null }[] = [
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

async function* rowsOf(pages: AsyncIterable<CallLog[]>) {
  for await (const logs of pages) {
    for (const log of logs) yield columns.map(({ of }) => of(log));
  }
}

/**
 * Call logs as CSV (RFC 4180, with the byte order mark that spreadsheets want), streamed. A cell that a spreadsheet would take for a
 * formula begins with an apostrophe. An error of the source ends the stream with it.
 */
export function csvOf(pages: AsyncIterable<CallLog[]>): Readable {
  const csv = stringify({
    bom: true,
    header: true,
    columns: columns.map(({ header }) => header),
    record_delimiter: "windows",
    // A lone line feed in a note is a line break as well.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  // A failure reaches the answer through `csv`, which the pipeline destroys with it.
  pipeline(Readable.from(rowsOf(pages)), csv, () => undefined);
  return csv;
}
