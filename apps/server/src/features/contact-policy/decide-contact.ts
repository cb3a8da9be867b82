import { type ContactChannel, type ContactRefusal, contactRefusals } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import { type ContactHours, nextInHours, startOfDay, startOfNextDay } from "../../domain/contact-window.ts";
import { phoneKind } from "../../domain/phone-area.ts";
import { type StateRule, stateRulesOf, usStates } from "./policy.ts";

/** What a market asks of those who contact its leads. */
export interface Market {
  /** Countries whose numbers may be called and texted, ISO 3166. */
  countries: readonly string[];
  /** Hours of the lead's day; null where any hour will do. */
  hours: ContactHours | null;
  /** States that ask for more. */
  states: readonly StateRule[];
  /** Nobody is contacted without a record that they agreed. */
  needsConsent: boolean;
  /** Carriers block texts to numbers that opted out, so that no reason of ours gets one through. */
  blocksOptedOutTexts: boolean;
}

/**
 * US: calls from 8 a.m. to 9 p.m. at the called party's location (47 CFR 64.1200(c)(1)). ES: only with consent (Ley 11/2022,
 * art. 66.1.b), and from 9 to 21 h (Real Decreto Legislativo 1/2007, art. 96.2). OPEN: for demonstrations, where nobody is real.
 */
export const markets: Record<"US" | "ES" | "OPEN", Market> = {
  US: {
    countries: ["US", "PR", "CA"],
    hours: { from: 8, until: 21 },
    states: usStates,
    needsConsent: false,
    blocksOptedOutTexts: true,
  },
  ES: {
    countries: ["ES"],
    hours: { from: 9, until: 21 },
    states: [],
    needsConsent: true,
    blocksOptedOutTexts: true,
  },
  OPEN: {
    countries: ["US", "PR", "CA", "ES", "MX"],
    hours: null,
    states: [],
    needsConsent: false,
    blocksOptedOutTexts: false,
  },
};

/** What the market and the organisation ask, the same for every lead. */
export interface ContactPolicyRules {
  market: Market;
  /** Time zone of leads whose area code gives none, and of the consultants' days. */
  orgTimeZone: string;
}

/** What the database knows of a lead when somebody wants to contact them. */
export interface LeadFacts {
  phone: string | null;
  phoneE164: string | null;
  callOptOut: string | null;
  textOptOut: string | null;
  /** The lead's contact was deleted in the CRM. */
  deleted: boolean;
  /** Outcomes say that the number is not theirs, or dead: neither calls nor texts reach them there. */
  numberFault: string | null;
  /** Zones of the number's area and of the contact in the CRM, joined with '&'. */
  timeZone: string | null;
  /** States of the addresses that came with the lead and that the CRM has, as they were written, joined with '&'. */
  addressState: string | null;
  consentAt: Date | null;
  /** Somebody else is on the line with the lead. */
  leadOnCall: boolean;
  /** When the last calls rang them, newest first, as many as a day allows; null where there was none of late. */
  lastCalls: readonly Date[] | null;
  /** The same of their number, whichever of its leads they were to; null where it is not asked. */
  numberCalls: readonly Date[] | null;
  /** When the text was sent that would be the last allowed one, were it today; null where there were fewer. */
  lastTextSlot: Date | null;
}

/** What it knows of the person who wants to: the same for every lead. */
export interface RepFacts {
  repOnCall: boolean;
  /** When the contact was made that would fill the minute, and the day. */
  minuteSlot: Date | null;
  daySlot: Date | null;
}

/** Yes, or why not and the first instant at which it will be allowed, where waiting helps. */
export type ContactDecision =
  | { allowed: true }
  | { allowed: false; reason: ContactRefusal; nextAllowedAt?: Date };

interface Question {
  lead: LeadFacts;
  /** Left out where only the lead is looked at, as in lists. */
  rep?: RepFacts;
  channel: ContactChannel;
  now: Date;
  rules: ContactPolicyRules;
  /** An administrator has a reason to go on although the contact policy says no. */
  overridden?: boolean;
}

/** These refusals end by themselves, at a time that is known. */
const passing = new Set<ContactRefusal>(["outside_hours", "attempt_cap", "rep_cap"]);
const neverOverridden = new Set<ContactRefusal>(["no_phone", "invalid_phone", "lead_on_call", "rep_on_call"]);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What the states of a lead ask, where the market looks at them. */
function statesOf({ lead, rules }: Pick<Question, "lead" | "rules">): ReturnType<typeof stateRulesOf> {
  return stateRulesOf(lead).filter(({ rule }) => rules.market.states.includes(rule));
}

/** Where and within which hours a lead may be contacted. A state's hours hold where the lead's zone says and where its area does: the stricter. */
export function contactClock(question: Pick<Question, "lead" | "rules">): {
  zone: string;
  hours: ContactHours | null;
} {
  const { lead, rules } = question;
  const { hours } = rules.market;
  const states = statesOf(question);
  if (!hours || states.length === 0) return { zone: lead.timeZone ?? rules.orgTimeZone, hours };
  const zones = new Set([...(lead.timeZone?.split("&") ?? []), ...states.flatMap((state) => state.zones)]);
  return {
    zone: [...zones].join("&"),
    hours: {
      from: Math.max(hours.from, ...states.map(({ rule }) => rule.hours.from)),
      until: Math.min(hours.until, ...states.map(({ rule }) => rule.hours.until)),
    },
  };
}

/** The first instant from `at` on within a lead's hours. */
function nextAllowed(at: Date, question: Pick<Question, "lead" | "rules">): Date | null {
  const { zone, hours } = contactClock(question);
  return nextInHours(at, zone, hours);
}

/** Whether this instant lies within the lead's hours. */
export function isInHours(question: Pick<Question, "lead" | "now" | "rules">): boolean {
  return nextAllowed(question.now, question)?.getTime() === question.now.getTime();
}

/** When the lead may be called or texted again, for those caps that hold now. */
function attemptCaps(question: Question): Date[] {
  const { lead, channel, now, rules } = question;
  const zone = lead.timeZone ?? rules.orgTimeZone;
  const calls = channel === "call" ? (lead.lastCalls ?? []) : [];
  const filling = channel === "call" ? calls[limits.callAttemptsPerDay - 1] : lead.lastTextSlot;
  // A state's cap is a person's: it counts what rang the lead, and what rang the number.
  const counted = channel === "call" ? [calls, lead.numberCalls ?? []] : [];
  const ends = statesOf(question).flatMap(({ rule: { attempts } }) =>
    counted.flatMap((rung) => {
      const call = rung[attempts.calls - 1];
      return call ? [new Date(call.getTime() + attempts.hours * hourMs)] : [];
    }),
  );
  if (filling && filling >= startOfDay(now, zone)) ends.push(startOfNextDay(now, zone));
  return ends.filter((end) => end > now);
}

/** When the caps let go: the reason with its end, for those that hold now. */
function capsOf(question: Question): Map<ContactRefusal, Date> {
  const { rep, now, rules, channel } = question;
  const caps = new Map<ContactRefusal, Date>();
  // A message is left in a call that was counted when it was made.
  if (channel === "voicemail_drop") return caps;
  const attempts = attemptCaps(question).map((end) => end.getTime());
  if (attempts.length > 0) caps.set("attempt_cap", new Date(Math.max(...attempts)));
  if (rep?.minuteSlot && now.getTime() < rep.minuteSlot.getTime() + minuteMs)
    caps.set("rep_cap", new Date(rep.minuteSlot.getTime() + minuteMs));
  if (rep?.daySlot && rep.daySlot >= startOfDay(now, rules.orgTimeZone))
    caps.set("rep_cap", startOfNextDay(now, rules.orgTimeZone));
  return caps;
}

/** Every reason against, in no order. */
function reasonsAgainst(question: Question, caps: Map<ContactRefusal, Date>): Set<ContactRefusal> {
  const { lead, rep, channel, rules } = question;
  if (!lead.phone?.trim()) return new Set(["no_phone"]);
  if (!lead.phoneE164) return new Set(["invalid_phone"]);
  const { market } = rules;
  const { country, premium } = phoneKind(lead.phoneE164);
  const against = new Set(caps.keys());
  if (!country || !market.countries.includes(country)) against.add("country_not_allowed");
  if (premium) against.add("premium_number");
  if ((channel === "text" ? lead.textOptOut : lead.callOptOut) !== null) against.add("opted_out");
  if (lead.deleted) against.add("deleted");
  if (lead.numberFault !== null) against.add("number_fault");
  // A recorded voice wants consent in every market (US: 47 USC 227(b)).
  if ((market.needsConsent || channel === "voicemail_drop") && !lead.consentAt) against.add("no_consent");
  if (!isInHours(question)) against.add("outside_hours");
  if (lead.leadOnCall) against.add("lead_on_call");
  if (rep?.repOnCall && channel === "call") against.add("rep_on_call");
  return against;
}

function mayOverride(reason: ContactRefusal, { channel, rules }: Question): boolean {
  if (channel === "voicemail_drop") return false;
  if (reason === "opted_out" && channel === "text") return !rules.market.blocksOptedOutTexts;
  return !neverOverridden.has(reason);
}

/**
 * May this lead be contacted now? Pure: the one rule behind the contact policy and the lists. Of several reasons the first in the
 * contract's order is answered; `nextAllowedAt` is the first instant at which every refusal that ends by itself is over.
 */
export function decideContact(question: Question): ContactDecision {
  const { now, overridden } = question;
  const caps = capsOf(question);
  const against = reasonsAgainst(question, caps);
  const reason = contactRefusals.find(
    (candidate) => against.has(candidate) && !(overridden && mayOverride(candidate, question)),
  );
  if (!reason) return { allowed: true };
  if (!passing.has(reason)) return { allowed: false, reason };
  const free = new Date(Math.max(now.getTime(), ...[...caps.values()].map((end) => end.getTime())));
  const nextAllowedAt = nextAllowed(free, question);
  return nextAllowedAt ? { allowed: false, reason, nextAllowedAt } : { allowed: false, reason };
}
