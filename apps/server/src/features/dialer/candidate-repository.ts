import type { DialerSession, DialerSource } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";
import { listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";
import { type DialFacts, dialFactsSql } from "./item-repository.ts";

/** The user and the leads of a list. */
export interface ListRequest {
  userId: number;
  /** Administrators may select any lead. */
  anyLead: boolean;
  source: Exclude<DialerSource, { kind: "today" }>;
  order: DialerSession["order"];
  /** End of the organization's current day: earlier follow-ups are due. */
  dayEnd: Date;
}

/** A lead of a list with the facts for the contact policy. */
export interface Candidate extends LeadFacts, DialFacts {
  leadId: number;
  name: string;
  company: string | null;
  attempts: number;
  lastAttemptOutcome: LoggedOutcome | null;
}

const workable = sql`l.status not in ('converted', 'not_interested')`;

function orderOf({ order, dayEnd }: ListRequest): SQL {
  if (order === "createdAt")
    return sql`l.last_attempt_at nulls first, l.created_at desc nulls last, l.id desc nulls last`;
  return sql`(l.next_follow_up_date < ${dayEnd}) desc nulls last,
    case when l.next_follow_up_date < ${dayEnd} then coalesce(l.next_follow_up_at, l.next_follow_up_date) end,
    (l.status = 'new') desc, l.attempts, l.last_attempt_at nulls first, l.last_contacted_at nulls first,
    l.created_at desc nulls last, l.id desc nulls last`;
}

function where({ source, anyLead, userId, dayEnd }: ListRequest): SQL {
  const own = sql`l.assigned_to = ${userId}`;
  switch (source.kind) {
    case "filter":
      return sql`${own} and ${source.status === "all" ? workable : sql`l.status = ${source.status}`}`;
    case "selection": {
      const isTheirs = anyLead ? sql`true` : own;
      return sql`l.id = any(${sql.param(source.leadIds)}::int[]) and ${isTheirs} and l.status <> 'converted'`;
    }
    case "follow_ups":
      return sql`${own} and l.next_follow_up_date < ${dayEnd} and ${workable}`;
    case "call_back":
      return sql`${own} and l.status <> 'converted' and exists (select 1 from inbound_calls m
          where m.lead_id = l.id and m.settled_at is null and m.result in ('missed', 'voicemail'))`;
  }
}

/** The list's leads with their facts, in the order that SQL can produce; the order of the retry rules is applied afterwards. */
export async function listCandidates(db: Db, request: ListRequest): Promise<Candidate[]> {
  const userId = sql`${request.userId}::int`;
  return query<Candidate>(
    db,
    sql`select l.id as "leadId", l.name, l.company, l.attempts, l.last_attempt_outcome as "lastAttemptOutcome",
       ${listedContactFactsSql(userId)}, ${dialFactsSql(userId)}
     from leads l where ${where(request)} order by ${orderOf(request)} limit ${sql.constant(limits.dialerLeadsMax)}`,
  );
}
