import type { figureKinds } from "../../db/schema/figures.ts";
import { type LogFilter, selectsOf } from "../calls/data-log-filter.ts";

export type FigureKind = Exclude<(typeof figureKinds)[number], "lead_owner">;
/** Everyone's figures, or those of a consultant. */
export type ReportScope = LogFilter["scope"];

/** Parts of a statement over the rows of a scope; each brings the values that it needs. */
export interface Sources {
  values: unknown[];
  place(value: unknown): string;
  /** SQL of the organisation's zone. */
  zone(): string;
  /** The rows that a figure counts, as `at`, `user_id`, `label` and `amount` (schema/figures says what they are). */
  rowsOf(kind: FigureKind): string;
  /** The calls that the call history shows. */
  logs(columns: string): string;
}

const logColumns = "c.id, c.call_date, c.user_id, c.outcome, c.duration_seconds";
const messageColumns = "m.id, m.created_at, m.user_id, m.direction, m.status";

/** What there is in a scope: the calls that the call history shows, the texts and the clients with them, and the leads. */
export function sourcesOf(scope: ReportScope, timeZone: string): Sources {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const zone = () => `${place(timeZone)}::text`;
  const logs = (columns: string) =>
    `(${selectsOf({ scope, timeZone }, { columns, values }).sqls.join(" union ")}) c`;
  const mine = () => (scope === "everyone" ? "true" : `l.assigned_to = ${place(scope.userId)}`);
  const messages = () => {
    if (scope === "everyone") return "messages m";
    const user = place(scope.userId);
    return `(select ${messageColumns} from messages m where m.user_id = ${user}
      union select ${messageColumns} from leads l join messages m on m.lead_id = l.id where l.assigned_to = ${user}) m`;
  };
  const hourly = (where: string) =>
    `select c.call_date as at, 0 as user_id, extract(hour from c.call_date at time zone ${zone()})::int::text as label, 0 as amount
     from ${logs(logColumns)} where ${where}`;
  const leadly = (label: string) =>
    `select l.created_at as at, 0 as user_id, ${label} as label, 0 as amount from leads l where ${mine()}`;
  const rows: Record<FigureKind, () => string> = {
    call: () =>
      `select c.call_date as at, coalesce(c.user_id, 0) as user_id, coalesce(c.outcome, '') as label, c.duration_seconds as amount
       from ${logs(logColumns)}`,
    call_hour: () => hourly("true"),
    answered_hour: () => hourly("c.outcome = 'answered'"),
    text: () =>
      `select m.created_at as at, coalesce(m.user_id, 0) as user_id, m.direction as label, 0 as amount
       from ${messages()} where text_label(m.direction, m.status) is not null`,
    conversion: () =>
      `select k.converted_at as at, k.converted_by as user_id, '' as label, k.conversion_value as amount
       from ${scope === "everyone" ? "clients k" : `leads l join clients k on k.lead_id = l.id where ${mine()}`}`,
    lead: () => leadly("l.status"),
    lead_source: () => leadly("left(coalesce(l.lead_source, ''), 200)"),
  };
  return { values, place, zone, rowsOf: (kind) => rows[kind](), logs };
}
