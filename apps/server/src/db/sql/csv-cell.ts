/** First characters by which a spreadsheet takes a cell for a formula: tab, return, + - = @ and the wide ones of them. */
const formulaStarts = [9, 13, 43, 45, 61, 64, 0xff0b, 0xff0d, 0xff1d, 0xff20].join(",");

/** Values of an export's cells, as COPY writes them. */
export const csvCell = {
  /** Text; before what a spreadsheet would take for a formula stands an apostrophe. */
  text: (sql: string) =>
    `case when ascii(${sql}) in (${formulaStarts}) then '''' || ${sql} else nullif(${sql}, '') end`,
  number: (sql: string) => `trim_scale(${sql})`,
  /** An instant: ISO 8601 in UTC, to the second (`to_char` would take longer than all other cells together). */
  instant: (sql: string) => `replace(date_trunc('second', ${sql} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
};
