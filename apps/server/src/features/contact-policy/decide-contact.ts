import { type ContactChannel, type ContactRefusal, contactRefusals } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import { type ContactHours, nextInHours, startOfDay, startOfNextDay } from "../../domain/contact-window.ts";
import { phoneKind } from "../../domain/phone.ts";

/** The rules of a state in addition to those of its country. */
export interface StateRule {
  /** The names in addresses. */
  names: readonly string[];
  /** Hours of the called person's day. */
  hours: ContactHours;
  /** The maximum number of calls to a person within a number of hours on one subject; the portal's subject is always the same. */
  attempts: { calls: number; hours: number };
  /** The source of both rules. */
  source: string;
  /** Area codes by their time zones, IANA, several joined with '&'. */
  areas: Readonly<Record<string, string>>;
}

/**
 * States of the US with stricter rules than the country. The area code of a number determines its state, as both laws presume. Area codes:
 * North American Numbering Plan Administrator, central office code reports by state.
 */
const usStates: readonly StateRule[] = [
  {
    names: ["FL", "Florida"],
    hours: { from: 8, until: 20 },
    attempts: { calls: 3, hours: 24 },
    source:
      "Fla. Stat. 501.616(6)(a), (b) as enacted by Laws of Florida 2021-185 (S.B. 1120); area code: 501.059(8)(d)",
    areas: {
      "America/New_York":
        "239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954",
      "America/New_York&America/Chicago": "448 850",
    },
  },
  {
    names: ["OK", "Oklahoma"],
    hours: { from: 8, until: 20 },
    attempts: { calls: 3, hours: 24 },
    source: "15 O.S. 775C.4; area code: 775C.3 (Telephone Solicitation Act of 2022, H.B. 3168)",
    areas: { "America/Chicago": "405 539 572 580 918" },
  },
];

/** A rule that applies to a lead, with the time zones in which it does. */
interface HoldingRule {
  rule: StateRule;
  zones: readonly string[];
}

const byArea = new Map<string, HoldingRule>(
  usStates.flatMap((rule) =>
    Object.entries(rule.areas).flatMap(([zones, codes]) =>
      codes.split(" ").map((code): [string, HoldingRule] => [code, { rule, zones: zones.split("&") }]),
    ),
  ),
);
const byName = new Map<string, HoldingRule>(
  usStates.flatMap((rule) =>
    rule.names.map((name): [string, HoldingRule] => [
      name.toLowerCase(),
      { rule, zones: [...new Set(Object.keys(rule.areas).flatMap((zones) => zones.split("&")))] },
    ]),
  ),
);

/** The rules of the states of a number's area code and of the addresses: if they differ, all apply. */
export function stateRulesOf(lead: { phoneE164: string | null; addressState: string | null }): HoldingRule[] {
  const code = lead.phoneE164?.startsWith("+1") ? lead.phoneE164.slice(2, 5) : "";
  const area = byArea.get(code);
  const names = lead.addressState?.split("&").map((name) => name.trim().toLowerCase()) ?? [];
  const addresses = names.flatMap((name) => byName.get(name) ?? []);
  // The zones of the area code are more exact than those of the state.
  const others = addresses.filter(({ rule }) => rule !== area?.rule);
  return area ? [area, ...others] : others;
}

/** The rules of a market for contacting its leads. */
export interface Market {
  /** Countries whose numbers may be called and texted, ISO 3166. */
  countries: readonly string[];
  /** Hours of the lead's day; null without a restriction. */
  hours: ContactHours | null;
  /** States with stricter rules. */
  states: readonly StateRule[];
  /** Contact needs recorded consent. */
  needsConsent: boolean;
  /** Carriers block texts to numbers that opted out, so that an override has no effect. */
  blocksOptedOutTexts: boolean;
}

/**
 * US: calls from 8 a.m. to 9 p.m. at the called party's location (47 CFR 64.1200(c)(1)). ES: only with consent (Ley 11/2022, art. 66.1.b),
 * and from 9 to 21 h (Real Decreto Legislativo 1/2007, art. 96.2). OPEN: for demonstrations with invented people.
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

/** The rules of the market and the organization, the same for every lead. */
export interface ContactPolicyRules {
  market: Market;
  /** Time zone of leads whose area code gives none, and of the consultants' days. */
  orgTimeZone: string;
}

/** The facts about a lead that the contact policy needs. */
export interface LeadFacts {
  phone: string | null;
  phoneE164: string | null;
  callOptOut: string | null;
  textOptOut: string | null;
  /** The lead's contact was deleted in the CRM. */
  deleted: boolean;
  /** Outcomes say that the number is wrong or out of service: neither calls nor texts reach the lead there. */
  numberFault: string | null;
  /** Time zones of the number's area and of the contact in the CRM, joined with '&'. */
  timeZone: string | null;
  /** States in the addresses from the lead's source and from the CRM, as written there, joined with '&'. */
  addressState: string | null;
  consentAt: Date | null;
  /** Another user is in a call with the lead. */
  leadOnCall: boolean;
  /** The times of the last calls that rang, newest first, at most as many as a day allows; null if there was none recently. */
  lastCalls: readonly Date[] | null;
  /** The same for their number, for all leads with it; null if not read. */
  numberCalls: readonly Date[] | null;
  /** The time of the text that would reach the daily cap if it was sent today; null if there were fewer texts. */
  lastTextSlot: Date | null;
}

/** The facts about the user who wants to contact: the same for every lead. */
export interface RepFacts {
  repOnCall: boolean;
  /** The times of the contacts that would reach the cap of the minute and of the day. */
  minuteSlot: Date | null;
  daySlot: Date | null;
}

/** Allowed, or the reason against and, if waiting helps, the first instant at which it will be allowed. */
export type ContactDecision =
  | { allowed: true }
  | { allowed: false; reason: ContactRefusal; nextAllowedAt?: Date };

interface Question {
  lead: LeadFacts;
  /** Left out if only the lead matters, as in lists. */
  rep?: RepFacts;
  channel: ContactChannel;
  now: Date;
  rules: ContactPolicyRules;
  /** An administrator overrides the contact policy with a reason. */
  overridden?: boolean;
}

/** These refusals end by themselves, at a known time. */
const passing = new Set<ContactRefusal>(["outside_hours", "attempt_cap", "rep_cap"]);
const neverOverridden = new Set<ContactRefusal>(["no_phone", "invalid_phone", "lead_on_call", "rep_on_call"]);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The rules of the lead's states, if the market has any. */
function statesOf({ lead, rules }: Pick<Question, "lead" | "rules">): ReturnType<typeof stateRulesOf> {
  return stateRulesOf(lead).filter(({ rule }) => rules.market.states.includes(rule));
}

/**
 * The time zone and hours in which a lead may be contacted. A state's hours apply in the lead's zone and in the zone of its area: the
 * stricter of both.
 */
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

/** When the lead may be called or texted again, for the caps that are reached now. */
function attemptCaps(question: Question): Date[] {
  const { lead, channel, now, rules } = question;
  const zone = lead.timeZone ?? rules.orgTimeZone;
  const calls = channel === "call" ? (lead.lastCalls ?? []) : [];
  const filling = channel === "call" ? calls[limits.callAttemptsPerDay - 1] : lead.lastTextSlot;
  // A state's cap is for each person: it counts calls to the lead, and calls to the number.
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

/** The caps that are reached now, each with its end. */
function capsOf(question: Question): Map<ContactRefusal, Date> {
  const { rep, now, rules, channel } = question;
  const caps = new Map<ContactRefusal, Date>();
  // The call was counted when it was made; leaving a message in it does not count again.
  if (channel === "voicemail_drop") return caps;
  const attempts = attemptCaps(question).map((end) => end.getTime());
  if (attempts.length > 0) caps.set("attempt_cap", new Date(Math.max(...attempts)));
  if (rep?.minuteSlot && now.getTime() < rep.minuteSlot.getTime() + minuteMs)
    caps.set("rep_cap", new Date(rep.minuteSlot.getTime() + minuteMs));
  if (rep?.daySlot && rep.daySlot >= startOfDay(now, rules.orgTimeZone))
    caps.set("rep_cap", startOfNextDay(now, rules.orgTimeZone));
  return caps;
}

/** All reasons against, unordered. */
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
  // A recorded voice needs consent in every market (US: 47 USC 227(b)).
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
 * May this lead be contacted now? Pure function, used by the contact policy and the lists. Of several reasons the first in the contract's
 * order is returned; `nextAllowedAt` is the first instant at which all temporary refusals are over.
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
