import type { DialerSession, DialerSource } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import type { Db } from "../../platform/db/client.ts";
import { listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";
import { type DialFacts, dialFactsSql } from "./item-repository.ts";

/** Whose list it is, and of which leads. */
export interface ListRequest {
  userId: number;
  /** Administrators may choose anybody's leads by hand. */
  anyLead: boolean;
  source: DialerSource;
  order: DialerSession["order"];
  /** The first instant after the organisation's day: follow-ups before it are due. */
  dayEnd: Date;
}

/** A lead of a list, with what the contact policy asks about it. */
export interface Candidate extends LeadFacts, DialFacts {
  leadId: number;
  name: string;
  company: string | null;
  attempts: number;
  lastAttemptOutcome: LoggedOutcome | null;
}

const workable = "l.status not in ('converted', 'not_interested')";
/** $2 is the end of the day, for due follow-ups. */
const orders = {
  createdAt: "l.last_attempt_at nulls first, l.created_at desc nulls last, l.id desc nulls last",
  smart: `(l.next_follow_up_date < $2) desc nulls last,
    case when l.next_follow_up_date < $2 then coalesce(l.next_follow_up_at, l.next_follow_up_date) end,
    (l.status = 'new') desc, l.attempts, l.last_attempt_at nulls first, l.last_contacted_at nulls first,
    l.created_at desc nulls last, l.id desc nulls last`,
} as const;

function where(request: ListRequest): { sql: string; values: unknown[] } {
  const { source, anyLead } = request;
  switch (source.kind) {
    case "filter":
      return source.status === "all"
        ? { sql: `l.assigned_to = $1 and ${workable}`, values: [] }
        : { sql: "l.assigned_to = $1 and l.status = $3", values: [source.status] };
    case "selection":
      return {
        sql: `l.id = any($3::int[]) and ($4 or l.assigned_to = $1) and l.status <> 'converted'`,
        values: [source.leadIds, anyLead],
      };
    case "follow_ups":
      return { sql: `l.assigned_to = $1 and l.next_follow_up_date < $2 and ${workable}`, values: [] };
    case "call_back":
      return {
        sql: `l.assigned_to = $1 and l.status <> 'converted' and exists (select 1 from inbound_calls m
          where m.lead_id = l.id and m.settled_at is null and m.result in ('missed', 'voicemail'))`,
        values: [],
      };
  }
}

function from(request: ListRequest): { sql: string; values: unknown[] } {
  const { sql, values } = where(request);
  // Both stand in every statement, so that the placeholders keep their numbers.
  const text = `from leads l where ${sql} and $1::int is not null and $2::timestamptz is not null
    order by ${orders[request.order]} limit ${limits.dialerLeadsMax}`;
  return { sql: text, values: [request.userId, request.dayEnd, ...values] };
}

/** Ids of the list's leads in its order. */
export async function listLeadIds(db: Db, request: ListRequest): Promise<number[]> {
  const { sql, values } = from(request);
  const { rows } = await db.$client.query<{ id: number }>(`select l.id ${sql}`, values);
  return rows.map(({ id }) => id);
}

/** The list's leads with what is known of each. */
export async function listCandidates(db: Db, request: ListRequest): Promise<Candidate[]> {
  const { sql, values } = from(request);
  const { rows } = await db.$client.query<Candidate>(
    `select l.id as "leadId", l.name, l.company, l.attempts, l.last_attempt_outcome as "lastAttemptOutcome",
       ${listedContactFactsSql("$1::int")}, ${dialFactsSql("$1::int")} ${sql}`,
    values,
  );
  return rows;
}
