import { isoOf } from "../../db/instant-text.ts";
import { isTouchedSql, untouchedFacts } from "../../db/sql/contact-facts.ts";
import { phoneKind } from "../../values/phone-area.ts";
import { decideContact, type GateRules, type LeadFacts } from "../gate/decide-contact.ts";
import type { Columns } from "./data-lead-pages.ts";

/**
 * A lead as the database writes it: a JSON object of all that is answered as it is kept, and beside it what the server adds, joined by
 * bars: instants, which PostgreSQL writes otherwise than the API, and for those who work on the lead its unread texts and its number.
 * None but the phone as it was given, which is the last, can hold a bar. Reading thirty columns of each lead and writing them again
 * would take longer than all the rest of a page.
 */
export interface LeadTextRow {
  json: string;
  facts: string;
}

/** The same for those who work on the lead; `withTouched` completes it. */
export interface OwnLeadTextRow extends LeadTextRow {
  id: number;
  /** What the gate goes by beside the number, joined by bars: the same of most leads. */
  gate: string;
  /** Somebody touched the lead lately: what the gate asks of calls and texts is still to be looked up. */
  isTouched: boolean;
}

/** All that such a lead is written from. */
export interface WholeLeadTextRow extends LeadTextRow {
  gate: string;
  touched: TouchedFacts | undefined;
}

export type TouchedFacts = Pick<LeadFacts, "leadOnCall" | "lastCallSlot" | "lastTextSlot">;

/** The consultants `u` of leads `l`. */
export const joinRep = "left join users u on u.id = l.assigned_to";

const join = `${joinRep} cross join lateral (select l.id, l.name, l.first_name as "firstName",
  l.last_name as "lastName", l.email, l.phone, l.company, l.industry, l.status, l.status as "leadStatus", l.lead_source as "leadSource",
  l.priority, l.notes, l.deal_value::float8 as "dealValue", l.ghl_contact_id as "ghlContactId",
  case when l.ai_recording_message_id is not null then '/api/ai-recording/' || l.id end as "aiRecordingUrl",
  l.assigned_to as "assignedTo", u.name as "salesRepName", l.consent_source as "consentSource", l.crm_sync as "crmSync") j`;

const instants = [
  "next_follow_up_date",
  "last_contacted_at",
  "assigned_at",
  "created_at",
  "converted_at",
].map((column) => `l.${column}`);

const joined = (facts: string[]) => `concat(${facts.join(", '|', ")})`;
const selectOf = (facts: string[]) => `row_to_json(j)::text as json, ${joined(facts)} as facts`;

/** What a lead of the whole system is written from: leads `l`. */
export const systemLeadText: Columns = { select: selectOf([...instants, "l.consent_at"]), join };

/** What a lead is written from for those who work on it; `actor` is the placeholder of the id of whoever looks. */
export function leadText(actor: string): Columns {
  const { facts, join: others } = untouchedFacts(actor);
  const told = [...instants, facts.consentAt, "l.unread_texts", facts.phoneE164, facts.phone];
  // In the order in which `gateFacts` reads them.
  const gate = [facts.callOptOut, facts.textOptOut, facts.numberFault, facts.timeZone, facts.leadOnCall];
  return {
    select: `${selectOf(told)}, ${joined([...gate, `${facts.consentAt} is not null`])} as gate, ${isTouchedSql} as "isTouched"`,
    join: `${join} ${others}`,
  };
}

const quoted = (instant: string | undefined) => (instant ? `"${isoOf(instant)}"` : "null");
const orNull = (text: string | undefined) => text || null;
const dateOf = (instant: string | undefined) => (instant ? new Date(isoOf(instant)) : null);

function write(json: string, parts: string[]): string {
  const [followUp, lastContacted, assigned, created, converted, consent] = parts;
  const contacted = quoted(lastContacted);
  const assignedAt = quoted(assigned);
  return `${json.slice(0, -1)},"nextFollowUpDate":${quoted(followUp)},"lastContactDate":${contacted},"lastContactedAt":${contacted},"assignedDate":${assignedAt},"assignedAt":${assignedAt},"createdAt":${quoted(created)},"convertedAt":${quoted(converted)},"consentAt":${quoted(consent)}`;
}

/** A lead of the whole system (`SystemLead`), as JSON. */
export function writeSystemLead({ json, facts }: LeadTextRow): string {
  return `${write(json, facts.split("|"))}}`;
}

/** The phone as it was given, after the eight facts before it. */
const phoneOf = (parts: string[]) => parts.slice(8).join("|");
const hasPhone = (parts: string[]) => phoneOf(parts).trim() !== "";

/** What the gate asks about a lead whom nobody touched lately. */
function gateFacts(gate: string, parts: string[]): LeadFacts {
  const [callOptOut, textOptOut, numberFault, timeZone, onCall] = gate.split("|");
  return {
    phone: phoneOf(parts),
    phoneE164: orNull(parts[7]),
    callOptOut: orNull(callOptOut),
    textOptOut: orNull(textOptOut),
    numberFault: orNull(numberFault),
    timeZone: orNull(timeZone),
    consentAt: dateOf(parts[5]),
    leadOnCall: onCall === "t",
    lastCallSlot: null,
    lastTextSlot: null,
  };
}

/** Why the lead may not be contacted now, and when they may; caps and calls of the person who looks are the gate's own. */
function contact(lead: LeadFacts, channel: "call" | "text", now: Date, rules: GateRules): string {
  const question = { lead, channel, now, rules };
  const answer = decideContact(question);
  const fields = answer.allowed
    ? { refusal: null, allowedAt: null, override: false }
    : {
        refusal: answer.reason,
        allowedAt: answer.nextAllowedAt?.toISOString() ?? null,
        override: decideContact({ ...question, overridden: true }).allowed,
      };
  return `"${channel}Refusal":${JSON.stringify(fields.refusal)},"${channel}AllowedAt":${JSON.stringify(fields.allowedAt)},"${channel}Override":${fields.override}`;
}

/**
 * Writes leads for those who work on them (`Lead`), as JSON, as the gate stands now. Leads of which it knows the same get the same
 * answer of it, worked out once.
 */
export function leadWriter(rules: GateRules): (row: WholeLeadTextRow) => string {
  const now = new Date();
  const known = new Map<string, string>();
  const workOut = (lead: LeadFacts) =>
    `${contact(lead, "call", now, rules)},${contact(lead, "text", now, rules)}`;

  function answer({ gate, touched }: WholeLeadTextRow, parts: string[]): string {
    if (touched) return workOut({ ...gateFacts(gate, parts), ...touched });
    const kind = parts[7] ? phoneKind(parts[7]) : null;
    const key = kind ? `${kind.country}${kind.premium}${gate}` : `${hasPhone(parts)}${gate}`;
    let found = known.get(key);
    if (!found) {
      found = workOut(gateFacts(gate, parts));
      known.set(key, found);
    }
    return found;
  }
  return (row) => {
    const parts = row.facts.split("|");
    return `${write(row.json, parts)},"unreadTexts":${parts[6]},${answer(row, parts)}}`;
  };
}
