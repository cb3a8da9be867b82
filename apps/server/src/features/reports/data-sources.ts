import type { figureKinds } from "../../db/schema/figures.ts";
import { type LogFilter, selectsOf } from "../calls/data-log-filter.ts";

export type FigureKind = Exclude<(typeof figureKinds)[number], "lead_owner" | "lead_calls">;
/** Everyone's figures, or those of a consultant. */
export type ReportScope = LogFilter["scope"];

/** Parts of a statement over the rows of a scope; each brings the values that it needs. */
interface Sources {
  values: unknown[];
  place(value: unknown): string;
  /** SQL of the organisation's zone. */
  zone(): string;
  /** The rows that figures count, as selects of `kind`, `at`, `user_id`, `label` and `amount` (schema/figures says what they are). */
  rowsOf(kinds: readonly FigureKind[]): string[];
}

const logColumns = "c.id, c.call_date, c.user_id, c.outcome, c.direction, c.duration_seconds";
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
  const leadly = (kind: string, label: string) =>
    `select '${kind}' as kind, l.created_at as at, 0 as user_id, ${label} as label, 0 as amount from leads l where ${mine()}`;
  const hour = () => `extract(hour from c.call_date at time zone ${zone()})::int::text`;
  /** What one call counts as: kind, consultant, label and amount. */
  const counts = {
    call: () => "('call', coalesce(c.user_id, 0), coalesce(c.outcome, ''), c.duration_seconds)",
    call_hour: () => `('call_hour', 0, ${hour()}, 0)`,
    answered_hour: () => `('answered_hour', 0, case when c.outcome = 'answered' then ${hour()} end, 0)`,
    inbound_call: () =>
      "('inbound_call', coalesce(c.user_id, 0), case when c.direction = 'inbound' then '' end, 0)",
  };
  const isOfCalls = (kind: FigureKind): kind is keyof typeof counts => kind in counts;
  const others: Record<Exclude<FigureKind, keyof typeof counts>, () => string> = {
    text: () =>
      `select 'text' as kind, m.created_at as at, coalesce(m.user_id, 0) as user_id, m.direction as label, 0 as amount
       from ${messages()} where text_label(m.direction, m.status) is not null`,
    conversion: () =>
      `select 'conversion' as kind, k.converted_at as at, k.converted_by as user_id, '' as label, k.conversion_value as amount
       from ${scope === "everyone" ? "clients k" : `leads l join clients k on k.lead_id = l.id where ${mine()}`}`,
    lead: () => leadly("lead", "l.status"),
    lead_source: () => leadly("lead_source", "left(coalesce(l.lead_source, ''), 200)"),
  };

  function rowsOf(kinds: readonly FigureKind[]): string[] {
    const ofCalls = kinds.filter(isOfCalls).map((kind) => counts[kind]());
    const rest = kinds.flatMap((kind) => (isOfCalls(kind) ? [] : [others[kind]()]));
    if (ofCalls.length === 0) return rest;
    // The calls are read once, however much is counted of them.
    const calls = `select v.kind, c.call_date as at, v.user_id, v.label, v.amount from ${logs(logColumns)}
      cross join lateral (values ${ofCalls.join(", ")}) v (kind, user_id, label, amount) where v.label is not null`;
    return [calls, ...rest];
  }

  return { values, place, zone, rowsOf };
}
