import type { DialerSession, DialerSource } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";
import { listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { InboundRow } from "../telephony/inbound/repository.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";
import { type DialFacts, dialFactsSql } from "./item-repository.ts";
import type { DialerRow } from "./session-repository.ts";

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

/** A lead who called while their consultant was on an open line, with their newest call. */
export interface Caller extends Pick<InboundRow, "stage" | "result"> {
  leadId: number;
  name: string;
  calledAt: Date;
}

const shown = 5;

/**
 * Leads who called the consultant of a session on an open line since its start and did not reach anybody, as the consultant's own phone was
 * busy.
 */
export async function listCallers(
  db: Db,
  { userId, startedAt, lineMode }: Pick<DialerRow, "userId" | "startedAt" | "lineMode">,
): Promise<Caller[]> {
  if (lineMode !== "open_line") return [];
  return query<Caller>(
    db,
    sql`select * from (
       select distinct on (i.lead_id) i.lead_id as "leadId", l.name, i.started_at as "calledAt", i.stage, i.result
       from inbound_calls i join leads l on l.id = i.lead_id
       where i.owner_id = ${userId} and l.assigned_to = ${userId} and i.started_at >= ${startedAt}
         and i.settled_at is null and i.stage <> 'talking' and i.result is distinct from 'answered'
       order by i.lead_id, i.started_at desc) callers
     order by "calledAt" limit ${shown}`,
  );
}
