import pg from "pg";

const timestamptz = 1184;
const parserOf = pg.types.getTypeParser;

/** An instant that PostgreSQL wrote, as the API writes it: ISO 8601 in UTC, to the millisecond. */
export function isoOf(text: string): string {
  // '2026-11-20 09:00:00[.123456]+00', the form of our connections; any other year or zone is the driver's to read.
  if (text.length > 29 || text[10] !== " " || !text.endsWith("+00"))
    return (parserOf(timestamptz)(text) as Date).toISOString();
  const day = text.slice(0, 10);
  if (text.length > 25) return `${day}T${text.slice(11, 23)}Z`;
  const milliseconds = text.slice(20, -3).padEnd(3, "0");
  return `${day}T${text.slice(11, 19)}.${milliseconds}Z`;
}
