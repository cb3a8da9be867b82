import pg from "pg";

const timestamptz = 1184;
const parserOf = pg.types.getTypeParser;

/** An instant that PostgreSQL wrote, as the API writes it: ISO 8601 in UTC, to the millisecond. */
export function isoOf(text: string): string {
  // '2026-11-20 09:00:00[.123456]+00', the form of our connections; any other year or zone is the driver's to read.
  if (text.length > 29 || !text.endsWith("+00") || text[10] !== " " || text[19] === undefined)
    return (parserOf(timestamptz)(text) as Date).toISOString();
  const milliseconds = text[19] === "." ? text.slice(20, -3).padEnd(3, "0").slice(0, 3) : "000";
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
