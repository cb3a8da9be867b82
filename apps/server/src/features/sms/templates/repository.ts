import type { Language } from "@portal/contract/entities/user";
import { lockText } from "../../../platform/db/advisory-locks.ts";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";

/** A template with its latest version. */
export interface TemplateRow {
  id: number;
  userId: number | null;
  isShared: boolean;
  isForMissedCall: boolean;
  version: number;
  versionId: number;
  name: string;
  en: string | null;
  es: string | null;
  savedAt: Date;
  savedByName: string | null;
}

export interface TemplateContent {
  name: string;
  en: string | null;
  es: string | null;
}

const columns = sql`t.id, t.user_id as "userId", t.is_shared as "isShared", t.is_for_missed_call as "isForMissedCall", t.version,
  v.id as "versionId", v.name, v.en, v.es, v.saved_at as "savedAt", u.name as "savedByName"`;
const latest = sql`sms_templates t join sms_template_versions v on v.template_id = t.id and v.version = t.version
  left join users u on u.id = v.saved_by`;
const mayUse = (userId: number) => sql`t.deleted_at is null and (t.is_shared or t.user_id = ${userId})`;

/** Shared templates and the user's own, by name. */
export function listTemplates(db: Db, userId: number): Promise<TemplateRow[]> {
  return query<TemplateRow>(
    db,
    sql`select ${columns} from ${latest} where ${mayUse(userId)} order by lower(v.name), t.id`,
  );
}

/** Number of SMS made from each template. */
export async function countSent(db: Db, templateIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await query<{ id: number; sent: number }>(
    db,
    sql`select v.template_id as id, count(*)::int as sent from sms_template_versions v
       join messages m on m.template_version_id = v.id and m.status not in ('failed', 'undelivered')
      where v.template_id = any(${sql.param(templateIds)}::int[]) group by v.template_id`,
  );
  return new Map(rows.map(({ id, sent }) => [id, sent]));
}

/** One template that this user may use, locked. The row is locked before its version is read. */
export async function lockTemplate(
  tx: Tx,
  { id, userId }: { id: number; userId: number },
): Promise<TemplateRow | undefined> {
  await execute(tx, sql`select 1 from sms_templates where id = ${id} for update`);
  return queryFirst<TemplateRow>(
    tx,
    sql`select ${columns} from ${latest} where t.id = ${id} and ${mayUse(userId)}`,
  );
}

interface Group {
  userId: number;
  isShared: boolean;
}

/** Locks a user's own templates, or the shared ones, as a group. */
export const lockGroup = (tx: Tx, { userId, isShared }: Group): Promise<void> =>
  lockText(tx, "smsTemplates", isShared ? "shared" : String(userId));

export async function countInGroup(tx: Tx, { userId, isShared }: Group): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    tx,
    sql`select count(*)::int as count from sms_templates t where t.deleted_at is null and t.is_shared = ${isShared}
       and (t.is_shared or t.user_id = ${userId})`,
  );
  return count;
}

export async function insertTemplate(
  tx: Tx,
  { userId, isShared }: Group,
): Promise<{ id: number; version: number }> {
  return queryOnly(
    tx,
    sql`insert into sms_templates (user_id, is_shared) values (${userId}, ${isShared}) returning id, version`,
  );
}

export async function insertVersion(
  tx: Tx,
  {
    templateId,
    version,
    name,
    en,
    es,
    savedBy,
  }: TemplateContent & { templateId: number; version: number; savedBy: number },
): Promise<void> {
  await execute(
    tx,
    sql`insert into sms_template_versions (template_id, version, name, en, es, saved_by, saved_at)
      values (${templateId}, ${version}, ${name}, ${en}, ${es}, ${savedBy}, clock_timestamp())`,
  );
  await execute(tx, sql`update sms_templates set version = ${version} where id = ${templateId}`);
}

/** Marks the template of a group for missed calls; the previous one loses the mark. */
export async function setForMissedCall(
  tx: Tx,
  { id, userId, isShared, isOn }: Group & { id: number; isOn: boolean },
): Promise<void> {
  await execute(
    tx,
    sql`update sms_templates t set is_for_missed_call = (t.id = ${id} and ${isOn}) where t.deleted_at is null
       and (t.id = ${id} or (${isOn} and t.is_shared = ${isShared} and (t.is_shared or t.user_id = ${userId})))`,
  );
}

export async function deleteTemplate(tx: Tx, id: number): Promise<void> {
  await execute(tx, sql`update sms_templates set deleted_at = clock_timestamp() where id = ${id}`);
}

/** Values for the fields of templates, and the lead's language. */
export interface LeadValues {
  assignedTo: number | null;
  firstName: string | null;
  company: string | null;
  ownerName: string | null;
  language: Language | null;
  /** The next meeting with the lead, and the zones of the lead's number joined with '&'. */
  meetingAt: Date | null;
  meetingZone: string | null;
  timeZone: string | null;
}

export function findLeadValues(db: Db, leadId: number): Promise<LeadValues | undefined> {
  return queryFirst<LeadValues>(
    db,
    sql`select l.assigned_to as "assignedTo", coalesce(nullif(l.first_name, ''), split_part(l.name, ' ', 1)) as "firstName",
       l.company, u.name as "ownerName", coalesce(l.language, l.language_guess) as language, m.starts_at as "meetingAt",
       m.time_zone as "meetingZone", l.time_zone as "timeZone"
     from leads l left join users u on u.id = l.assigned_to
       left join lateral (select starts_at, time_zone from meetings
         where lead_id = l.id and deleted_at is null and starts_at > clock_timestamp() order by starts_at limit 1) m on true
     where l.id = ${leadId}`,
  );
}
