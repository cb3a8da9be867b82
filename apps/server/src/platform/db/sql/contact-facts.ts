import type { ContactChannel } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";
import { aliasOptOutSql, aliasValuesSql, extraFieldsSql } from "./leads.ts";

/** An outcome of some lead says that this number is disconnected. */
const deadSql = (number: SQL) =>
  sql`exists (select 1 from leads h where h.phone_e164 = ${number} and h.number_fault = 'disconnected')`;
/** Its number, or one of its aliases, opted out of SMS. */
const stoppedSql = sql`(exists (select 1 from stopped_numbers n where n.number = l.phone_e164 and n.stopped)
  or exists (select 1 from lead_aliases a join stopped_numbers n on n.number = a.phone_e164 where a.lead_id = l.id and n.stopped))`;

/**
 * What outcomes say about the number of a lead `l`: a wrong number is wrong for this lead only, a disconnected one for every lead with it.
 */
const numberFaultSql = sql`coalesce(l.number_fault, case when ${deadSql(sql`l.phone_e164`)} then 'disconnected' end)`;

/** The same about its main number or an alias; the newest outcome of a call with an alias is the one that counts. */
const faultOfSql = (
  number: SQL,
) => sql`case when ${number} = l.phone_e164 then ${numberFaultSql} else coalesce(
  (select nullif(k.outcome, 'answered') from call_logs k left join calls o on o.id = k.call_id left join inbound_calls i on i.id = k.inbound_call_id
    where k.lead_id = l.id and k.confirmed and k.outcome in ('answered', 'wrong_number', 'disconnected')
      and coalesce(o.lead_number, i.from_number) = ${number} order by k.call_date desc, k.id desc limit 1),
  case when ${deadSql(number)} then 'disconnected' end) end`;

/** Whether this is the main number of a lead `l`, or an alias. */
export const isNumberOfLeadSql = (number: SQL) =>
  sql`(l.phone_e164 = ${number} or exists (select 1 from lead_aliases a where a.lead_id = l.id and a.phone_e164 = ${number}))`;

/** A stop belongs to the number, so it also applies to a lead that gets the number later. */
const textOptOutSql = sql`case when ${stoppedSql} then 'stop' else coalesce(l.text_opt_out, ${aliasOptOutSql("text_opt_out")}) end`;

/** Opt-outs of all numbers and contacts apply to the lead. */
const calledOptOutSql = sql`coalesce(l.call_opt_out, ${aliasOptOutSql("call_opt_out")})`;

/** Its contact was deleted in the CRM. */
const deletedSql = sql`l.crm_deleted_at is not null`;

/**
 * Why a lead `l` may never be called at one of its numbers: it opted out, it was deleted in the CRM, or an outcome says that the number is
 * not theirs.
 */
export const callOptOutSql = (number: SQL) =>
  sql`coalesce(${calledOptOutSql}, case when ${deletedSql} then 'deleted' end, ${faultOfSql(number)})`;

/**
 * Whether the data about a lead `l` is too old to contact it: the last full read of the CRM's contacts is over 24 hours ago, or the lead's
 * own contact could not be read then. Leads without a contact there need no reading. A run whose missing contacts an administrator left
 * unchanged did not read these.
 */
export const crmFactsOldSql = sql<boolean>`(l.ghl_contact_id is not null and l.crm_deleted_at is null
  and (exists (select 1 from crm_unread u where u.lead_id = l.id)
    or not exists (select 1 from crm_sync_runs r where r.kind in ('assigned', 'all') and r.state = 'done'
    and (r.decision is distinct from 'leave'
      or not exists (select 1 from crm_missing m where m.lead_id = l.id and m.left_at is not null))
    and least(r.read_since, r.started_at) > clock_timestamp() - interval '24 hours')))`;

/** Whether another consultant is on a call with the lead `l`, or with another lead of that number. */
export function leadOnCallSql(userId: SQL): SQL {
  return sql`(exists (select 1 from calls live where (live.lead_id = l.id or live.lead_number = l.phone_e164)
      and live.state <> 'ended' and live.user_id <> ${userId})
    or exists (select 1 from inbound_calls i
      where i.lead_id = l.id and i.stage <> 'ended' and i.taken_by is distinct from ${userId}))`;
}

/** Normalised headers (letters only, lower case) of imported columns with the state of an address. */
const stateHeaders = sql`'state', 'region', 'stateregion', 'stateprovince', 'province', 'provincia', 'mailingstate', 'billingstate',
  'homestate', 'addressstate', 'leadstate', 'contactstate', 'personstate', 'companystate'`;

/** The states of the lead's imported address and of its address in the CRM, joined with '&'. */
const ownStateSql = sql`case when l.extra is not null then nullif(concat_ws('&', (select e.value from jsonb_each_text(${extraFieldsSql}) e
  where lower(regexp_replace(e.key, '[^A-Za-z]', '', 'g')) in (${stateHeaders}) and e.value <> '' limit 1), l.extra ->> 'state'), '') end`;

/** The same, with those of its aliases. */
const addressStateSql = sql`nullif(concat_ws('&', ${ownStateSql}, ${aliasValuesSql("address_state", sql`null`)}), '')`;

/**
 * The zones of the number's area and of the contact in the CRM, joined with '&': the rules of all of them apply, and those of its aliases.
 */
const ownZoneSql = sql`case when l.extra ->> 'timeZone' = any(string_to_array(l.time_zone, '&')) then l.time_zone
  else nullif(concat_ws('&', l.time_zone, l.extra ->> 'timeZone'), '') end`;
const timeZoneSql = sql`nullif(concat_ws('&', ${ownZoneSql}, ${aliasValuesSql("time_zone", sql`l.time_zone`)}), '')`;

/** Times at which a number rang, whichever of its leads the calls were to. */
const callsToSql = (
  number: SQL,
) => sql`array(select c.lead_ringing_at from calls c where c.lead_number = ${number} and c.lead_ringing_at is not null
      order by c.requested_at desc nulls last limit ${sql.constant(limits.callAttemptsPerDay)})`;

/**
 * Facts of the contact policy about a lead `l`, each as SQL; lists read the same ones. Slots are the times of the contacts that fill a
 * daily limit. `userId` is the user who asks: their own live call is no reason to refuse.
 */
function leadContactFacts(userId: SQL) {
  return {
    phone: sql`l.phone`,
    phoneE164: sql`l.phone_e164`,
    callOptOut: calledOptOutSql,
    textOptOut: textOptOutSql,
    deleted: deletedSql,
    numberFault: numberFaultSql,
    timeZone: timeZoneSql,
    addressState: addressStateSql,
    consentAt: sql`l.consent_at`,
    leadOnCall: leadOnCallSql(userId),
    lastCalls: sql`array(select c.lead_ringing_at from calls c where c.lead_id = l.id and c.lead_ringing_at is not null
      order by c.requested_at desc nulls last limit ${sql.constant(limits.callAttemptsPerDay)})`,
    numberCalls: callsToSql(sql`l.phone_e164`),
    lastTextSlot: sql`(select m.created_at from messages m where m.lead_id = l.id and m.direction = 'outbound'
      order by m.created_at desc nulls last, m.id desc nulls last offset ${sql.constant(limits.textsPerDay - 1)} limit 1)`,
  };
}

const columns = (facts: Record<string, SQL>) =>
  sql.join(
    Object.entries(facts).map(([name, fact]) => sql`${fact} as ${sql.identifier(name)}`),
    sql`, `,
  );

/** The same as columns. */
export const leadContactFactsSql = (userId: SQL): SQL => columns(leadContactFacts(userId));

/** The same for a contact at this number of the lead, which may be an alias. */
export const numberContactFactsSql = (userId: SQL, number: SQL): SQL =>
  columns({
    ...leadContactFacts(userId),
    phone: number,
    phoneE164: number,
    numberFault: faultOfSql(number),
    leadOnCall: sql`(${leadOnCallSql(userId)} or exists (select 1 from calls n
      where n.lead_number = ${number} and n.state <> 'ended' and n.user_id <> ${userId}))`,
    numberCalls: callsToSql(number),
  });

/** A daily limit can only be reached if the lead had a call or SMS within this many hours. No day is longer in any zone. */
const recentHours = 28;

/**
 * The same for lists and cards. Calls and SMS are read only for leads with recent activity (`last_activity_at`); of any other lead only the
 * number can be in a call, through another lead with the same number.
 */
export function listedContactFactsSql(userId: SQL): SQL {
  const isRecent = sql`l.last_activity_at > now() - ${sql.constant(recentHours)} * interval '1 hour'`;
  const { leadOnCall, lastCalls, lastTextSlot, ...others } = leadContactFacts(userId);
  return columns({
    ...others,
    leadOnCall: sql`case when ${isRecent} then ${leadOnCall} else exists (select 1 from calls c
      where c.lead_number = l.phone_e164 and c.state <> 'ended' and c.user_id <> ${userId}) end`,
    lastCalls: sql`case when ${isRecent} then ${lastCalls} end`,
    lastTextSlot: sql`case when ${isRecent} then ${lastTextSlot} end`,
  });
}

/** The same facts about the user who asks. */
export function repContactFactsSql(channel: ContactChannel, userId: SQL): SQL {
  const made =
    channel === "text"
      ? sql`select m.created_at from messages m where m.user_id = ${userId} order by m.created_at desc nulls last`
      : sql`select c.requested_at from calls c where c.user_id = ${userId} order by c.requested_at desc nulls last`;
  const { perMinute, perDay } = repCaps[channel === "text" ? "text" : "call"];
  return sql`(exists (select 1 from calls c where c.user_id = ${userId} and c.state <> 'ended')
      or exists (select 1 from inbound_calls i where i.stage <> 'ended'
        and (i.taken_by = ${userId} or (i.stage = 'ringing_rep' and coalesce(i.rung_user_id, i.owner_id) = ${userId})))) as "repOnCall",
    (${made} offset ${sql.constant(perMinute - 1)} limit 1) as "minuteSlot",
    (${made} offset ${sql.constant(perDay - 1)} limit 1) as "daySlot"`;
}

const repCaps = {
  call: { perMinute: limits.repCallsPerMinute, perDay: limits.repCallsPerDay },
  text: { perMinute: limits.repTextsPerMinute, perDay: limits.repTextsPerDay },
};
