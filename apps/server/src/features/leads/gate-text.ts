import { touchedHours } from "../../db/sql/contact-facts.ts";
import { decideContact, type GateRules, type LeadFacts } from "../gate/decide-contact.ts";
import { type LeadText, type NumberFacts, nothingKnown } from "./lead-text.ts";

/** What calls and texts of a lead tell the gate. */
export type TouchedFacts = Pick<LeadFacts, "leadOnCall" | "lastCallSlot" | "lastTextSlot">;

/** Whether somebody called or texted the lead lately, or was called or texted by it. */
export const isTouched = ({ touchedAt }: LeadText): boolean =>
  touchedAt > Date.now() - touchedHours * 3_600_000;

/** Hours begin and end with a minute: until then the gate says the same of all leads of which it knows the same. */
const minuteMs = 60_000;
const keptMost = 5_000;
const answers = new WeakMap<GateRules, { minute: number; known: Map<string, string> }>();

function knownAt(now: Date, rules: GateRules): Map<string, string> {
  const minute = Math.floor(now.getTime() / minuteMs);
  const kept = answers.get(rules);
  if (kept?.minute === minute && kept.known.size < keptMost) return kept.known;
  const known = new Map<string, string>();
  answers.set(rules, { minute, known });
  return known;
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

const noted = ({ stopped, dead, onCall }: NumberFacts) => `${stopped} ${dead} ${onCall}`;

/**
 * Writes what the gate says of leads as it stands now: fields of `Lead`. `touched` are the facts of a lead whom somebody touched lately:
 * all others have no calls or texts that it asks about.
 */
export function gateWriter(
  rules: GateRules,
): (lead: LeadText, number: NumberFacts, touched: TouchedFacts | undefined) => string {
  const now = new Date();
  const known = knownAt(now, rules);
  return (lead, number, touched) => {
    const workOut = () => {
      const facts: LeadFacts = {
        ...lead.gate,
        textOptOut: number.stopped ? "stop" : lead.gate.textOptOut,
        numberFault: lead.gate.numberFault ?? (number.dead ? "disconnected" : null),
        leadOnCall: number.onCall,
        lastCallSlot: null,
        lastTextSlot: null,
        ...touched,
      };
      return `${contact(facts, "call", now, rules)},${contact(facts, "text", now, rules)}`;
    };
    if (touched) return workOut();
    const key = number === nothingKnown ? lead.gateKey : `${lead.gateKey} ${noted(number)}`;
    let answer = known.get(key);
    if (!answer) {
      answer = workOut();
      known.set(key, answer);
    }
    return answer;
  };
}
