import { isoOf } from "../../db/instant-text.ts";
import { numberFacts } from "../../db/sql/contact-facts.ts";
import { phoneKind } from "../../values/phone-area.ts";
import type { LeadFacts } from "../gate/decide-contact.ts";

/**
 * A lead's row as the database writes it: a JSON object of all that is answered as it is kept, and beside it what the server reads or
 * adds, joined by bars: instants, which PostgreSQL writes otherwise than the API, and what the gate goes by. None but the phone as it was
 * given, which is the last, can hold a bar. Reading thirty columns of each lead and writing them again would take longer than all the
 * rest of a page.
 */
export interface LeadRow {
  id: number;
  /** Id of its consultant. */
  rep: number | null;
  repName: string | null;
  json: string;
  facts: string;
}

/** What other tables tell of a lead's number. */
export interface NumberFacts {
  /** It asked for no more texts. */
  stopped: boolean;
  /** An outcome said of another lead that it is dead. */
  dead: boolean;
  /** Somebody else is on the line with it. */
  onCall: boolean;
}

/** A lead's row as it is read alone, for those who work on the lead. */
export type OwnLeadRow = LeadRow & NumberFacts;

/** The same of most leads. */
export const nothingKnown: NumberFacts = { stopped: false, dead: false, onCall: false };

/** What a lead's own row tells of it. */
export interface LeadText {
  rep: number | null;
  /** Its JSON (`SystemLead`) without its end: the name of the consultant is another row's. */
  json: string;
  unreadTexts: string;
  /** When the last call or text began, either way; ms. */
  touchedAt: number;
  /** What the gate goes by. */
  gate: Omit<LeadFacts, "leadOnCall" | "lastCallSlot" | "lastTextSlot">;
  /** The same for all leads that are the same to the gate. */
  gateKey: string;
}

/** What is selected of leads `l`, and what joins them for it. */
export interface Columns {
  select: string;
  join: string;
}

/** The consultants `u` of leads `l`. */
export const joinRep = "left join users u on u.id = l.assigned_to";

const instants = [
  "next_follow_up_date",
  "last_contacted_at",
  "assigned_at",
  "created_at",
  "converted_at",
  "consent_at",
  "last_touch_at",
];
const gateColumns = ["phone_e164", "call_opt_out", "text_opt_out", "number_fault", "time_zone"];
const facts = [...instants, "unread_texts", ...gateColumns, "phone"].map((column) => `l.${column}`);

/** The rows of leads `l`. */
export const leadRow: Columns = {
  select: `l.id, l.assigned_to as rep, u.name as "repName", row_to_json(j)::text as json,
    concat(${facts.join(", '|', ")}) as facts`,
  join: `${joinRep} cross join lateral (select l.id, l.name, l.first_name as "firstName",
    l.last_name as "lastName", l.email, l.phone, l.company, l.industry, l.status, l.status as "leadStatus", l.lead_source as "leadSource",
    l.priority, l.notes, l.deal_value::float8 as "dealValue", l.ghl_contact_id as "ghlContactId",
    case when l.ai_recording_message_id is not null then '/api/ai-recording/' || l.id end as "aiRecordingUrl",
    l.assigned_to as "assignedTo", l.consent_source as "consentSource", l.crm_sync as "crmSync") j`,
};

/** The same with what is told of their numbers; `actor` is the placeholder of the id of whoever looks. */
export function ownLeadRow(actor: string): Columns {
  const others = Object.entries(numberFacts(actor)).map(([name, sql]) => `${sql} as "${name}"`);
  return { select: `${leadRow.select}, ${others.join(", ")}`, join: leadRow.join };
}

const quoted = (instant: string | undefined) => (instant ? `"${isoOf(instant)}"` : "null");
const dateOf = (instant: string | undefined) => (instant ? new Date(isoOf(instant)) : null);
const orNull = (text: string | undefined) => text || null;

function gateKeyOf(gate: LeadText["gate"]): string {
  const { phone, phoneE164, consentAt, ...others } = gate;
  const kind = phoneE164 ? phoneKind(phoneE164) : null;
  const number = kind ? `${kind.country} ${kind.premium}` : Boolean(phone?.trim());
  return JSON.stringify([number, consentAt !== null, ...Object.values(others)]);
}

/** What a lead's row tells. */
export function readLeadRow({ rep, json, facts }: LeadRow): LeadText {
  const [
    followUp,
    lastContacted,
    assigned,
    created,
    converted,
    consent,
    touched,
    unreadTexts = "0",
    ...rest
  ] = facts.split("|");
  const [phoneE164, callOptOut, textOptOut, numberFault, timeZone, ...phone] = rest;
  const contacted = quoted(lastContacted);
  const assignedAt = quoted(assigned);
  const gate = {
    phone: phone.join("|"),
    phoneE164: orNull(phoneE164),
    callOptOut: orNull(callOptOut),
    textOptOut: orNull(textOptOut),
    numberFault: orNull(numberFault),
    timeZone: orNull(timeZone),
    consentAt: dateOf(consent),
  };
  const parts = [
    json.slice(0, -1),
    `,"nextFollowUpDate":${quoted(followUp)},"lastContactDate":${contacted},"lastContactedAt":${contacted}`,
    `,"assignedDate":${assignedAt},"assignedAt":${assignedAt},"createdAt":${quoted(created)}`,
    `,"convertedAt":${quoted(converted)},"consentAt":${quoted(consent)}`,
  ];
  return {
    rep,
    // Joined into one piece: it may be kept for long.
    json: parts.join(""),
    unreadTexts,
    touchedAt: dateOf(touched)?.getTime() ?? 0,
    gate,
    gateKey: gateKeyOf(gate),
  };
}

const named = ({ json }: LeadText, repName: string | null) =>
  `${json},"salesRepName":${JSON.stringify(repName)}`;

/** A lead of the whole system (`SystemLead`), as JSON. */
export const writeSystemLead = (lead: LeadText, repName: string | null): string => `${named(lead, repName)}}`;

/** A lead for those who work on it (`Lead`), as JSON, with what the gate says of it (`gateWriter`). */
export const writeOwnLead = (lead: LeadText, repName: string | null, gate: string): string =>
  `${named(lead, repName)},"unreadTexts":${lead.unreadTexts},${gate}}`;
