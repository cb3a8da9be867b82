/**
 * Whether an instant lies in a day of a zone, or in the days from it to `until`; all are SQL expressions. The outer bounds are for the index, wide enough for
 * midnights that a change of the clocks repeats or skips; the last condition is exact, and the one that the figures count by.
 */
export function onDaySql(at: string, day: string, zone: string, until = day): string {
  const midnight = (of: string) => `(${of}::date::timestamp at time zone ${zone})`;
  return `${at} >= ${midnight(day)} - interval '2 hours' and ${at} < ${midnight(until)} + interval '27 hours'
    and (${at} at time zone ${zone})::date between ${day}::date and ${until}::date`;
}
