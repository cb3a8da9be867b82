import type { TimelineKind } from "@portal/contract/entities/timeline";
import type { SQL } from "drizzle-orm";
import { allOf, sql } from "../query.ts";

/** A call's wrap-up: what its consultant changes of the lead within so many seconds of its end belongs to it. */
const wrapUpSeconds = 300;

/** Events that say what the call log or the text beside them says. */
const shadowedSql = sql`e.kind in ('call-ended', 'call-logged', 'text-sent', 'text-received')`;

/** An outcome that only confirms what the provider said, and a field that was written with the value it had, are no change. */
const unchangedSql = sql`(e.kind = 'outcome-confirmed' and (e.data #> '{before,outcome}') is not distinct from (e.data #> '{after,outcome}')
  and (e.data #> '{before,notes}') is not distinct from (e.data #> '{after,notes}')
  or e.kind in ('changed', 'renamed', 'assigned') and e.data ? 'before' and e.data -> 'before' = e.data -> 'after')`;

/** What machines do among themselves: changes from the CRM and to it, and the last contact that follows from a call or a text. */
const systemSql = sql`(e.kind in ('crm-synced', 'crm-pushed', 'crm-unanswered')
  or e.kind = 'changed' and e.data ->> 'field' = 'lastContactedAt')`;

/**
 * The call that an event `e` is part of, or null: an outcome names its call; status and follow-up belong to the call that the same person,
 * or the system for it, has just ended.
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

/** What is written in an event `e`, in whatever place of it. */
export const eventTextSql = sql`(select string_agg(v #>> '{}', ' ') from jsonb_path_query(e.data, '$.**') v where jsonb_typeof(v) in ('string', 'number'))`;

/** Lower case without accents, as `foldText` makes it. */
export const foldSql = (text: SQL) =>
  sql`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;

/** The person a value of an assignment stands for; what went to the CRM has the new one only. */
export const eventAssigneeSql = (side: "before" | "after") => {
  const sent =
    side === "after"
      ? sql`when e.kind in ('crm-pushed', 'crm-push-failed') and e.data ->> 'field' = 'assignedTo' then (e.data ->> 'value')::int`
      : sql.empty();
  return sql`(select u.name from users u where u.id = case
    when e.kind = 'assigned' and jsonb_typeof(e.data -> ${side}::text) = 'number' then (e.data ->> ${side}::text)::int ${sent} end)`;
};
