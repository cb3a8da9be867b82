import type { TimelineKind } from "@portal/contract/entities/timeline";
import type { SQL } from "drizzle-orm";
import { allOf, sql } from "../query.ts";

/** Wrap-up of a call: changes of the lead that its consultant makes within this many seconds of its end belong to it. */
const wrapUpSeconds = 300;

/** Events that repeat the call log or SMS next to them. */
const shadowedSql = sql`e.kind in ('call-ended', 'call-logged', 'text-sent', 'text-received')`;

/** An outcome that only confirms the provider's suggestion, and a field that was written with its old value, are no changes. */
const unchangedSql = sql`(e.kind = 'outcome-confirmed' and (e.data #> '{before,outcome}') is not distinct from (e.data #> '{after,outcome}')
  and (e.data #> '{before,notes}') is not distinct from (e.data #> '{after,notes}')
  or e.kind in ('changed', 'renamed', 'assigned') and e.data ? 'before' and e.data -> 'before' = e.data -> 'after')`;

/** Technical events: changes from and to the CRM, and the last contact that follows from a call or SMS. */
const systemSql = sql`(e.kind in ('crm-synced', 'crm-pushed', 'crm-unanswered')
  or e.kind = 'changed' and e.data ->> 'field' = 'lastContactedAt')`;

/**
 * The call that an event `e` belongs to, or null: an outcome names its call; a change of status or follow-up by the call's consultant, or
 * by the system, belongs to the call during or shortly after which it was made.
 */
export const foldedIntoSql = sql`(select c.id from call_logs c where c.lead_id = e.lead_id and (
    e.kind = 'outcome-confirmed' and e.data ->> 'callLogId' = c.id::text
    or e.kind = 'changed' and e.data ->> 'field' in ('status', 'nextFollowUpDate', 'nextFollowUpTime')
      and (e.user_id is null or e.user_id = c.user_id) and e.at >= c.call_date
      and e.at < c.call_date + make_interval(secs => greatest(c.duration_seconds, coalesce(c.reported_seconds, 0)) + ${sql.constant(wrapUpSeconds)}))
  order by c.call_date desc, c.id desc limit 1)`;

const isNoteSql = sql`(e.kind in ('note-added', 'crm-note') or e.kind = 'changed' and e.data ->> 'field' = 'notes')`;
const isMeetingSql = sql`e.kind in ('meeting-scheduled', 'meeting-changed', 'meeting-deleted')`;
const isOfCallSql = sql`e.kind in ('call-attempt', 'message-left', 'message-cut', 'outcome-confirmed', 'missed-call-done', 'missed-call-reopened')`;

const kindSql: Record<Exclude<TimelineKind, "texts">, SQL> = {
  calls: isOfCallSql,
  notes: isNoteSql,
  meetings: isMeetingSql,
  changes: sql`not (${isOfCallSql} or ${isNoteSql} or ${isMeetingSql})`,
};

/** Which events `e` of a lead are listed. */
export function eventWhere({ kind, withSystem }: { kind: TimelineKind | null; withSystem: boolean }): SQL {
  return allOf(
    sql`not (${shadowedSql})`,
    sql`not coalesce(${unchangedSql}, false)`,
    !withSystem && sql`not coalesce(${systemSql}, false)`,
    kind !== null && kind !== "texts" && sql`coalesce(${kindSql[kind]}, false)`,
  );
}

/** All texts within the data of an event `e`. */
export const eventTextSql = sql`(select string_agg(v #>> '{}', ' ') from jsonb_path_query(e.data, '$.**') v where jsonb_typeof(v) in ('string', 'number'))`;

/** Lower case without accents, as `foldText` does it. */
export const foldSql = (text: SQL) =>
  sql`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;

/** The person named by a value of an assignment; an event of the CRM push has only the new one. */
export const eventAssigneeSql = (side: "before" | "after") => {
  const sent =
    side === "after"
      ? sql`when e.kind in ('crm-pushed', 'crm-push-failed') and e.data ->> 'field' = 'assignedTo' then (e.data ->> 'value')::int`
      : sql.empty();
  return sql`(select u.name from users u where u.id = case
    when e.kind = 'assigned' and jsonb_typeof(e.data -> ${side}::text) = 'number' then (e.data ->> ${side}::text)::int ${sent} end)`;
};
