import type { Database } from "../../platform/db/client.ts";
import { copyCsv, csvCell } from "../../platform/db/copy.ts";
import { execute, queryFirst, sql } from "../../platform/db/query.ts";
import { extraLinesSql } from "../../platform/db/sql/leads.ts";
import { copySql, type LeadPage, type LeadQuery, type LeadSort } from "./lead-list-repository.ts";
import { joinRep } from "./lead-repository.ts";

const { text, number, instant } = csvCell;

/** Cells of exported leads `l` and their consultants `u` in SQL, by column header. An import recognises these headers. */
export const csvColumns = {
  "Lead ID": sql`l.id::text`,
  Name: text(sql`l.name`),
  "First Name": text(sql`l.first_name`),
  "Last Name": text(sql`l.last_name`),
  Email: text(sql`l.email`),
  Phone: text(sql`l.phone`),
  Company: text(sql`l.company`),
  Industry: text(sql`l.industry`),
  Status: text(sql`l.status`),
  Priority: text(sql`l.priority`),
  "Lead Source": text(sql`l.lead_source`),
  "Deal Value": number(sql`l.deal_value`),
  Notes: text(sql`l.notes`),
  "Assigned To": text(sql`u.name`),
  Assigned: instant(sql`l.assigned_at`),
  Created: instant(sql`l.created_at`),
  "Last Contact": instant(sql`l.last_contacted_at`),
  "Next Follow-up": instant(sql`l.next_follow_up_date`),
  "Next Follow-up Time": text(sql`l.next_follow_up_time || ' ' || l.next_follow_up_zone`),
  Converted: instant(sql`l.converted_at`),
  "GHL Contact ID": text(sql`l.ghl_contact_id`),
  "Extra fields": sql`(select ${text(sql`extra.lines`)} from (select ${extraLinesSql} as lines) extra)`,
};

const lineColumns = { select: sql.join(Object.values(csvColumns), sql`, `), join: joinRep };
/** Leads read in one page: about 0.2 MB, of which two pages are in memory for a slow client. */
const leadsAPage = 750;

interface LinesPage {
  lines: Buffer;
  /** Key of the last row if the page is full, else null. */
  end: LeadPage["after"];
}

/**
 * Yields the lines of an export page by page. Each page is one snapshot, no connection is held between pages, and the next page is read
 * while one is sent.
 */
export async function* leadLines(
  { transaction }: Pick<Database, "transaction">,
  query: LeadQuery & { sort: LeadSort },
): AsyncGenerator<Buffer> {
  const read = (after: LeadPage["after"]): Promise<LinesPage> =>
    transaction(async (tx) => {
      const { rows, end } = copySql({ ...query, after, limit: leadsAPage }, lineColumns);
      await execute(tx, sql`set transaction isolation level repeatable read read only`);
      const last = await queryFirst<{ id: number; at: string }>(tx, end);
      return { lines: await copyCsv(tx, rows), end: last ?? null };
    });
  let next: Promise<LinesPage> | null = read(null);
  while (next) {
    const { lines, end }: LinesPage = await next;
    next = end && read(end);
    // A client that stops reading must not cause an unhandled rejection.
    next?.catch(() => undefined);
    yield lines;
  }
}
