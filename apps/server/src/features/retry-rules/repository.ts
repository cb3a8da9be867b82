import {
  defaultRetryRules,
  type RetryRules,
  retryRulesSchema,
  type SavedRetryRules,
} from "@portal/contract/entities/retry";
import type { Db, Tx } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import { organisationSettings } from "../../platform/db/schema/organisation.ts";
import { type TryFacts, tryHistorySql } from "../../platform/db/sql/call-logs.ts";
import { leadContactFactsSql, listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";

type Row = Pick<typeof organisationSettings.$inferSelect, "retryRules" | "retryVersion">;

/** PostgreSQL orders the keys of JSON itself: the schema restores the order, so that rules can be compared. */
const saved = ({ retryRules, retryVersion }: Row): SavedRetryRules => ({
  rules: retryRulesSchema.parse(retryRules),
  version: retryVersion,
});

/** The rules in force; the defaults if nobody has set any. */
export async function readRetryRules(db: Db): Promise<SavedRetryRules> {
  const [row] = await db.select().from(organisationSettings);
  return row ? saved(row) : { rules: defaultRetryRules, version: 1 };
}

/** The rules in force, locked until the transaction ends. */
export async function lockRetryRules(tx: Tx): Promise<SavedRetryRules> {
  await tx.insert(organisationSettings).values({}).onConflictDoNothing();
  const [row] = await tx.select().from(organisationSettings).for("update");
  if (!row) throw new Error("the organization's settings were not saved");
  return saved(row);
}

export async function writeRetryRules(tx: Tx, { rules, version }: SavedRetryRules): Promise<void> {
  await tx.update(organisationSettings).set({ retryRules: rules, retryVersion: version });
}

/** The facts that retry rules and contact policy need about a lead. */
export interface TriedLead extends LeadFacts, TryFacts {
  id: number;
}

export async function findTriedLead(
  db: Db,
  { leadId, userId }: { leadId: number; userId: number },
): Promise<TriedLead | undefined> {
  return queryFirst<TriedLead>(
    db,
    sql`select l.id, ${leadContactFactsSql(sql`${userId}::int`)}, ${tryHistorySql} from leads l where l.id = ${leadId}`,
  );
}

/** The next leads, by id, that sessions may call and that were called before. */
export async function listTriedLeads(
  db: Db,
  { afterId, limit, userId }: { afterId: number; limit: number; userId: number },
): Promise<TriedLead[]> {
  return query<TriedLead>(
    db,
    sql`select l.id, ${listedContactFactsSql(sql`${userId}::int`)}, ${tryHistorySql} from leads l
     where l.id > ${afterId} and l.attempts > 0 and l.status not in ('converted', 'not_interested')
     order by l.id limit ${limit}`,
  );
}

/** The newest status change by the end of a rule for a call log, or its undo. */
export interface GivenStatus {
  before: string;
  after: string;
  /** Whether the status change was undone. */
  isUndone: boolean;
}

export async function findStatusGiven(
  tx: Tx,
  { leadId, callLogId }: { leadId: number; callLogId: number },
): Promise<GivenStatus | undefined> {
  return queryFirst<GivenStatus>(
    tx,
    sql`select data ->> 'before' as before, data ->> 'after' as after, coalesce((data ->> 'isUndone')::boolean, false) as "isUndone"
     from lead_events where lead_id = ${leadId} and kind = 'changed' and data ->> 'retryOfLog' = ${callLogId}::text
     order by id desc limit 1`,
  );
}

/** The status of a lead, locked until the transaction ends. */
export async function lockStatus(tx: Tx, leadId: number): Promise<string | undefined> {
  const row = await queryFirst<{ status: string }>(
    tx,
    sql`select status from leads where id = ${leadId} for no key update`,
  );
  return row?.status;
}

export async function writeStatus(
  tx: Tx,
  { leadId, status }: { leadId: number; status: string },
): Promise<void> {
  await query(
    tx,
    sql`update leads set status = ${status}, updated_at = clock_timestamp() where id = ${leadId}`,
  );
}

/** Only the rules, without their version. */
export const retryRulesOf = async (db: Db): Promise<RetryRules> => (await readRetryRules(db)).rules;
