/**
 * SQL of the first instant of the day after that of an instant, in a zone; both are SQL expressions. Where a change of the clocks makes
 * midnight come twice PostgreSQL means the second one, so the hour before is looked at.
 */
export function dayEndSql(at: string, zone: string): string {
  return `(select case when ((midnight - interval '1 hour') at time zone ${zone})::date = (midnight at time zone ${zone})::date
      then midnight - interval '1 hour' else midnight end
    from (select ((${at} at time zone ${zone})::date + 1)::timestamp at time zone ${zone} as midnight) m)`;
}
