/** First characters by which a spreadsheet takes a cell for a formula: tab, return, + - = @ and the wide ones of them. */
const formulaStarts = [9, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20].join(",");

/** Cells of CSV (RFC 4180) as SQL expressions of text; empty where the value is null. */
export const csvCell = {
  /** Text in quotes; before what a spreadsheet would take for a formula stands an apostrophe. */
  text: (sql: string) =>
    `coalesce(case when ascii(${sql}) in (${formulaStarts}) then '"''' else '"' end || replace(${sql}, '"', '""') || '"', '')`,
  number: (sql: string) => `coalesce(trim_scale(${sql})::text, '')`,
  /** An instant: ISO 8601 in UTC, to the second (`to_char` would take longer than all other cells together). */
  instant: (sql: string) =>
    `coalesce(replace(date_trunc('second', ${sql} at time zone 'UTC')::text, ' ', 'T') || 'Z', '')`,
};
