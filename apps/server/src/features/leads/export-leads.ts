import type { Database } from "../../platform/db/client.ts";
import { copyCsv, csvCell } from "../../platform/db/copy.ts";
import { extraLinesSql } from "../../platform/db/sql/leads.ts";
import { copySql, type LeadPage, type LeadQuery, type LeadSort } from "./lead-list-repository.ts";
import { joinRep } from "./lead-repository.ts";

const { text, number, instant } = csvCell;

/** The columns of exported leads `l` and their consultants `u`, each a cell in SQL; an import reads them by these names again. */
export const csvColumns = {
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
  "Next Follow-up Time": text("l.next_follow_up_time || ' ' || l.next_follow_up_zone"),
  Converted: instant("l.converted_at"),
  "GHL Contact ID": text("l.ghl_contact_id"),
  "Extra fields": `(select ${text("extra.lines")} from (select ${extraLinesSql} as lines) extra)`,
};

const lineColumns = { select: Object.values(csvColumns).join(", "), join: joinRep };
/** Leads of an export that are read at once: about 0.2 MB, held twice for whoever reads slowly. */
const leadsAPage = 750;

interface LinesPage {
  lines: Buffer;
  /** Its last row, where the page is full. */
  end: LeadPage["after"];
}

/**
 * The lines of an export, page by page: each page of one snapshot, with no connection held between them, and the next one is read while
 * one is sent.
 */
export async function* leadLines(
  { transaction }: Pick<Database, "transaction">,
  query: LeadQuery & { sort: LeadSort },
): AsyncGenerator<Buffer> {
  const read = (after: LeadPage["after"]): Promise<LinesPage> =>
    transaction(async (tx) => {
      const { rows, end } = copySql({ ...query, after, limit: leadsAPage }, lineColumns);
      await tx.$client.query("set transaction isolation level repeatable read read only");
      const last = await tx.$client.query<{ id: number; at: string }>(end);
      return { lines: await copyCsv(tx, rows), end: last.rows[0] ?? null };
    });
  let next: Promise<LinesPage> | null = read(null);
  while (next) {
    const { lines, end }: LinesPage = await next;
    next = end && read(end);
    // Whoever stops reading hears of no failure.
    next?.catch(() => undefined);
    yield lines;
  }
}
