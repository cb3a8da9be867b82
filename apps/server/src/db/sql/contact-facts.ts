import { limits } from "@portal/contract/limits";

/** What outcomes said of the number of a lead `l`: a wrong one is wrong for this lead, a dead one for everybody who has it. */
const numberFaultSql = `coalesce(l.number_fault, (select h.number_fault from leads h
    where h.phone_e164 = l.phone_e164 and h.number_fault = 'disconnected' limit 1))`;

/** A stop holds for the number, so for a lead that got it later too. */
const textOptOutSql = `coalesce((select 'stop' from stopped_numbers n
    where n.number = l.phone_e164 and n.stopped), l.text_opt_out)`;

/** Why a lead `l` may never be called: it asked for it, or an outcome said that the number is not theirs. */
export const callOptOutSql = `coalesce(l.call_opt_out, ${numberFaultSql})`;

/** Whether somebody else than the person is on the line with the lead `l`, or with another one of that number. */
export function leadOnCallSql(userId: string): string {
  return `(exists (select 1 from calls live where (live.lead_id = l.id or live.lead_number = l.phone_e164)
      and live.state <> 'ended' and live.user_id <> ${userId})
    or exists (select 1 from inbound_calls i
      where i.lead_id = l.id and i.stage <> 'ended' and i.taken_by is distinct from ${userId}))`;
}

/**
 * What "may I contact?" asks about a lead `l`, each fact as SQL; the gate and the lists read the same. Slots are the times of the
 * contacts that fill a cap. `userId` is the placeholder of whoever asks: their own live call is no reason against the lead.
 */
export function leadContactFacts(userId: string) {
  return {
    phone: "l.phone",
    phoneE164: "l.phone_e164",
    callOptOut: "l.call_opt_out",
    textOptOut: textOptOutSql,
    numberFault: numberFaultSql,
    timeZone: "l.time_zone",
    consentAt: "l.consent_at",
    leadOnCall: leadOnCallSql(userId),
    lastCallSlot: `(select c.lead_ringing_at from calls c where c.lead_id = l.id and c.lead_ringing_at is not null
      order by c.requested_at desc nulls last offset ${limits.callAttemptsPerDay - 1} limit 1)`,
    lastTextSlot: `(select m.created_at from messages m where m.lead_id = l.id and m.direction = 'outbound'
      order by m.created_at desc nulls last, m.id desc nulls last offset ${limits.textsPerDay - 1} limit 1)`,
  };
}

/** The same as columns. */
export function leadContactFactsSql(userId: string): string {
  return Object.entries(leadContactFacts(userId))
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(", ");
}

/** No day of any clock is longer: what fills a cap of today is younger. */
const capWindow = "interval '28 hours'";
const pageIds = "array(select id from page)";

/** The contacts of a page of leads that fill a cap: the time of the last allowed one a lead, if they are of today. */
const pageSlots = (from: string, at: string, order: string, cap: number) =>
  `(select c.lead_id, (array_agg(${at} order by ${order}))[${cap}] as at from ${from} group by c.lead_id having count(*) >= ${cap})`;

/**
 * The same facts about all leads `l` of a page at once, the `page` of a statement: looked up together, as hundreds of leads would look for
 * each of them one by one. `joins` brings what they stand on.
 */
export function pageContactFacts(userId: string): {
  facts: ReturnType<typeof leadContactFacts>;
  joins: string;
} {
  const others = `from calls live where live.state <> 'ended' and live.user_id <> ${userId}`;
  return {
    facts: {
      phone: "l.phone",
      phoneE164: "l.phone_e164",
      callOptOut: "l.call_opt_out",
      textOptOut: "case when stopped.number is null then l.text_opt_out else 'stop' end",
      numberFault: "coalesce(l.number_fault, dead.fault)",
      timeZone: "l.time_zone",
      consentAt: "l.consent_at",
      leadOnCall: `(l.id in (select live.lead_id ${others})
        or coalesce(l.phone_e164 in (select live.lead_number ${others}), false)
        or l.id in (select i.lead_id from inbound_calls i
          where i.stage <> 'ended' and i.taken_by is distinct from ${userId} and i.lead_id is not null))`,
      lastCallSlot: "call_slots.at",
      lastTextSlot: "text_slots.at",
    },
    joins: `left join stopped_numbers stopped on stopped.number = l.phone_e164 and stopped.stopped
      left join (select distinct h.phone_e164, h.number_fault as fault from leads h
        where h.phone_e164 = any(array(select phone_e164 from page)) and h.number_fault = 'disconnected') dead
        on dead.phone_e164 = l.phone_e164
      left join ${pageSlots(
        `calls c where c.lead_id = any(${pageIds}) and c.requested_at > now() - ${capWindow} and c.lead_ringing_at is not null`,
        "c.lead_ringing_at",
        "c.requested_at desc",
        limits.callAttemptsPerDay,
      )} call_slots on call_slots.lead_id = l.id
      left join ${pageSlots(
        `messages c where c.lead_id = any(${pageIds}) and c.created_at > now() - ${capWindow} and c.direction = 'outbound'`,
        "c.created_at",
        "c.created_at desc, c.id desc",
        limits.textsPerDay,
      )} text_slots on text_slots.lead_id = l.id`,
  };
}

/** The same about the person who asks. */
export function repContactFactsSql(channel: "call" | "text", userId: string): string {
  const made =
    channel === "call"
      ? `select c.requested_at from calls c where c.user_id = ${userId} order by c.requested_at desc nulls last`
      : `select m.created_at from messages m where m.user_id = ${userId} order by m.created_at desc nulls last`;
  const { perMinute, perDay } = repCaps[channel];
  return `(exists (select 1 from calls c where c.user_id = ${userId} and c.state <> 'ended')
      or exists (select 1 from inbound_calls i where i.stage <> 'ended'
        and (i.taken_by = ${userId} or (i.owner_id = ${userId} and i.stage = 'ringing_rep')))) as "repOnCall",
    (${made} offset ${perMinute - 1} limit 1) as "minuteSlot",
    (${made} offset ${perDay - 1} limit 1) as "daySlot"`;
}

const repCaps = {
  call: { perMinute: limits.repCallsPerMinute, perDay: limits.repCallsPerDay },
  text: { perMinute: limits.repTextsPerMinute, perDay: limits.repTextsPerDay },
};
