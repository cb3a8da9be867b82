/**
 * Whether an instant lies in a day of a zone; all three are SQL expressions. The outer bounds are for the index, wide enough for
 * midnights that a change of the clocks repeats or skips; the last condition is exact, and the one that the figures count by.
 */
export function onDaySql(at: string, day: string, zone: string): string {
  const midnight = `${day}::date::timestamp at time zone ${zone}`;
  return `${at} >= (${midnight}) - interval '2 hours' and ${at} < (${midnight}) + interval '27 hours'
    and (${at} at time zone ${zone})::date = ${day}::date`;
}
