import type { ContactChannel } from "@portal/contract/errors";
import { describe, expect, it } from "vitest";
import { decideContact, type LeadFacts, markets, type RepFacts } from "./decide-contact.ts";

/** Friday, 15:00 in New York, 12:00 in Los Angeles, 21:00 in Madrid. */
const now = new Date("2026-11-20T20:00:00Z");
const lead: LeadFacts = {
  phone: "(212) 555-0142",
  phoneE164: "+12125550142",
  callOptOut: null,
  textOptOut: null,
  deleted: false,
  numberFault: null,
  timeZone: "America/New_York",
  consentAt: null,
  leadOnCall: false,
  addressState: null,
  lastCalls: null,
  numberCalls: null,
  lastTextSlot: null,
};
const rep: RepFacts = { repOnCall: false, minuteSlot: null, daySlot: null };

/** As many calls as allowed per day, the first of them at this instant. */
const sixth = (at: Date) => Array.from({ length: 6 }, () => at);

interface Asked {
  market?: keyof typeof markets;
  channel?: ContactChannel;
  at?: string;
  overridden?: boolean;
  rep?: Partial<RepFacts>;
}

function ask(changes: Partial<LeadFacts>, asked: Asked = {}) {
  return decideContact({
    lead: { ...lead, ...changes },
    rep: { ...rep, ...asked.rep },
    channel: asked.channel ?? "call",
    now: asked.at ? new Date(asked.at) : now,
    rules: { market: markets[asked.market ?? "US"], orgTimeZone: "America/New_York" },
    overridden: asked.overridden ?? false,
  });
}

const spanish = { phone: "612 345 678", phoneE164: "+34612345678", timeZone: "Europe/Madrid" };
const consented = { consentAt: new Date("2026-05-01T10:00:00Z") };
const morning = "2026-11-20T10:00:00Z";

type Case = [what: string, lead: Partial<LeadFacts>, asked: Asked, reason: string | null, next?: string];

const cases: Case[] = [
  ["a lead within contact hours", {}, {}, null],
  ["an SMS within contact hours", {}, { channel: "text" }, null],
  ["no phone", { phone: null, phoneE164: null }, {}, "no_phone"],
  ["a blank phone", { phone: "  ", phoneE164: null }, {}, "no_phone"],
  ["an invalid phone", { phone: "call me", phoneE164: null }, {}, "invalid_phone"],
  ["Puerto Rico in the US market", { phoneE164: "+17875550142" }, {}, null],
  ["Canada in the US market", { phoneE164: "+14165550142" }, {}, null],
  ["the Dominican Republic in the US market", { phoneE164: "+18095550142" }, {}, "country_not_allowed"],
  ["Spain in the US market", spanish, {}, "country_not_allowed"],
  ["the US in the Spanish market", consented, { market: "ES" }, "country_not_allowed"],
  ["Spain in the open market", spanish, { market: "OPEN" }, null],
  ["Mexico in the open market", { phoneE164: "+525512345678" }, { market: "OPEN" }, null],
  ["Britain in the open market", { phoneE164: "+442079460958" }, { market: "OPEN" }, "country_not_allowed"],
  ["a 900 number", { phoneE164: "+19005550142" }, {}, "premium_number"],
  ["a 976 exchange", { phoneE164: "+12129765555" }, {}, "premium_number"],
  ["a text to a 900 number", { phoneE164: "+19005550142" }, { channel: "text" }, "premium_number"],
  ["an 806 number of Spain", { phoneE164: "+34806123456" }, { market: "OPEN" }, "premium_number"],
  ["a call after 'no calls'", { callOptOut: "dnd" }, {}, "opted_out"],
  ["a text after 'no calls'", { callOptOut: "dnd" }, { channel: "text" }, null],
  ["a text after STOP", { textOptOut: "stop" }, { channel: "text" }, "opted_out"],
  ["a call to a lead deleted in the CRM", { deleted: true }, {}, "deleted"],
  ["a text to a lead deleted in the CRM", { deleted: true }, { channel: "text" }, "deleted"],
  ["a call after STOP", { textOptOut: "stop" }, {}, null],
  ["a call to a wrong number", { numberFault: "wrong_number" }, {}, "number_fault"],
  ["a text to a wrong number", { numberFault: "wrong_number" }, { channel: "text" }, "number_fault"],
  ["a text to a disconnected number", { numberFault: "disconnected" }, { channel: "text" }, "number_fault"],
  ["Spain without consent", spanish, { market: "ES", at: morning }, "no_consent"],
  ["a message for a voicemail in the US without consent", {}, { channel: "voicemail_drop" }, "no_consent"],
  [
    "the same, against the rules, by an administrator",
    {},
    { channel: "voicemail_drop", overridden: true },
    "no_consent",
  ],
  ["the same in the open market", {}, { market: "OPEN", channel: "voicemail_drop" }, "no_consent"],
  ["a message with consent", consented, { channel: "voicemail_drop", rep: { repOnCall: true } }, null],
  [
    "a message in the day's last call",
    { ...consented, lastCalls: sixth(now) },
    { channel: "voicemail_drop" },
    null,
  ],
  [
    "a message for a lead who asked for no calls",
    { ...consented, callOptOut: "asked" },
    { channel: "voicemail_drop" },
    "opted_out",
  ],
  ["a text to Spain without consent", spanish, { market: "ES", channel: "text", at: morning }, "no_consent"],
  ["Spain with consent", { ...spanish, ...consented }, { market: "ES", at: morning }, null],
  [
    "Spain with consent at 21:00",
    { ...spanish, ...consented },
    { market: "ES" },
    "outside_hours",
    "2026-11-21T08:00:00Z",
  ],
  ["7:59:59.999", {}, { at: "2026-11-20T12:59:59.999Z" }, "outside_hours", "2026-11-20T13:00:00Z"],
  ["8:00", {}, { at: "2026-11-20T13:00:00Z" }, null],
  ["20:59:59.999", {}, { at: "2026-11-21T01:59:59.999Z" }, null],
  ["21:00", {}, { at: "2026-11-21T02:00:00Z" }, "outside_hours", "2026-11-21T13:00:00Z"],
  [
    "a text at 21:00",
    {},
    { channel: "text", at: "2026-11-21T02:00:00Z" },
    "outside_hours",
    "2026-11-21T13:00:00Z",
  ],
  [
    "8:30 in New York of a lead in California",
    { timeZone: "America/Los_Angeles" },
    { at: "2026-11-20T13:30:00Z" },
    "outside_hours",
    "2026-11-20T16:00:00Z",
  ],
  [
    "the organization's night of a lead without a zone",
    { timeZone: null },
    { at: "2026-11-20T08:00:00Z" },
    "outside_hours",
    "2026-11-20T13:00:00Z",
  ],
  ["a night of the open market", {}, { market: "OPEN", at: "2026-11-20T08:00:00Z" }, null],
  [
    "the last allowed attempt made today",
    { lastCalls: sixth(new Date("2026-11-20T05:00:00Z")) },
    {},
    "attempt_cap",
    "2026-11-21T13:00:00Z",
  ],
  ["the same attempt made yesterday", { lastCalls: sixth(new Date("2026-11-20T04:59:59.999Z")) }, {}, null],
  [
    "the attempts of the lead's day, not the organization's",
    { timeZone: "America/Los_Angeles", lastCalls: sixth(new Date("2026-11-20T05:00:00Z")) },
    {},
    null,
  ],
  [
    "enough attempts in the open market",
    { lastCalls: sixth(new Date("2026-11-20T12:00:00Z")) },
    { market: "OPEN" },
    "attempt_cap",
    "2026-11-21T05:00:00Z",
  ],
  ["enough texts, for a call", { lastTextSlot: new Date("2026-11-20T12:00:00Z") }, {}, null],
  [
    "enough texts, for a text",
    { lastTextSlot: new Date("2026-11-20T12:00:00Z") },
    { channel: "text" },
    "attempt_cap",
    "2026-11-21T13:00:00Z",
  ],
  [
    "a consultant's full minute",
    {},
    { rep: { minuteSlot: new Date("2026-11-20T19:59:30Z") } },
    "rep_cap",
    "2026-11-20T20:00:30Z",
  ],
  ["an expired minute", {}, { rep: { minuteSlot: new Date("2026-11-20T19:59:00Z") } }, null],
  [
    "a consultant's full day",
    {},
    { rep: { daySlot: new Date("2026-11-20T14:00:00Z") } },
    "rep_cap",
    "2026-11-21T13:00:00Z",
  ],
  ["an expired day", {}, { rep: { daySlot: new Date("2026-11-20T04:00:00Z") } }, null],
  [
    "a minute that ends after the hours do",
    {},
    { at: "2026-11-21T01:59:50Z", rep: { minuteSlot: new Date("2026-11-21T01:59:40Z") } },
    "rep_cap",
    "2026-11-21T13:00:00Z",
  ],
  ["a colleague on the line", { leadOnCall: true }, {}, "lead_on_call"],
  ["a consultant on the line", {}, { rep: { repOnCall: true } }, "rep_on_call"],
  ["a text while on the line", {}, { channel: "text", rep: { repOnCall: true } }, null],
  // Of several reasons the longest-lasting one is returned.
  ["an opt-out at night", { callOptOut: "stop" }, { at: "2026-11-20T08:00:00Z" }, "opted_out"],
  ["a foreign premium number", { phoneE164: "+34806123456" }, {}, "country_not_allowed"],
  [
    "a night after enough attempts",
    { lastCalls: sixth(new Date("2026-11-20T22:00:00Z")) },
    { at: "2026-11-21T03:00:00Z" },
    "outside_hours",
    "2026-11-21T13:00:00Z",
  ],
  [
    "an early morning of a day with enough attempts",
    { lastCalls: sixth(new Date("2026-11-20T06:00:00Z")) },
    { at: "2026-11-20T12:00:00Z" },
    "outside_hours",
    "2026-11-21T13:00:00Z",
  ],
  [
    "a colleague on the line at the cap",
    { leadOnCall: true, lastCalls: sixth(now) },
    {},
    "attempt_cap",
    "2026-11-21T13:00:00Z",
  ],
  // An administrator's override.
  ["override of the hours", {}, { overridden: true, at: "2026-11-20T08:00:00Z" }, null],
  ["override of an opt-out of calls", { callOptOut: "stop" }, { overridden: true }, null],
  ["override of the caps", { lastCalls: sixth(now) }, { overridden: true, rep: { daySlot: now } }, null],
  ["override of consent", spanish, { overridden: true, market: "ES", at: morning }, null],
  ["override of a country", spanish, { overridden: true }, null],
  ["override without a phone", { phone: null, phoneE164: null }, { overridden: true }, "no_phone"],
  ["override of an invalid number", { phoneE164: null }, { overridden: true }, "invalid_phone"],
  ["override of a colleague's call", { leadOnCall: true }, { overridden: true }, "lead_on_call"],
  ["override of one's own call", {}, { overridden: true, rep: { repOnCall: true } }, "rep_on_call"],
  [
    "override of the hours with a colleague on the line",
    { leadOnCall: true },
    { overridden: true, at: "2026-11-20T08:00:00Z" },
    "lead_on_call",
  ],
  [
    "override of STOP where carriers block it",
    { textOptOut: "stop" },
    { overridden: true, channel: "text" },
    "opted_out",
  ],
  [
    "override of STOP in the open market",
    { textOptOut: "stop" },
    { overridden: true, channel: "text", market: "OPEN" },
    null,
  ],
];

const florida = { phoneE164: "+13055550142", timeZone: "America/New_York" };
const oklahoma = { phoneE164: "+14055550142", timeZone: "America/Chicago" };
const thrice = (third: string) => ({
  lastCalls: ["2026-11-20T19:00:00Z", "2026-11-20T18:00:00Z", third].map((at) => new Date(at)),
});

/** Fla. Stat. 501.616(6), 15 O.S. 775C.4: from 8 to 20 h, three calls in 24 hours. */
const stateCases: Case[] = [
  [
    "Florida at 7:59:59.999",
    florida,
    { at: "2026-11-20T12:59:59.999Z" },
    "outside_hours",
    "2026-11-20T13:00:00Z",
  ],
  ["Florida at 8:00", florida, { at: "2026-11-20T13:00:00Z" }, null],
  ["Florida at 19:59:59.999", florida, { at: "2026-11-21T00:59:59.999Z" }, null],
  ["Florida at 20:00", florida, { at: "2026-11-21T01:00:00Z" }, "outside_hours", "2026-11-21T13:00:00Z"],
  [
    "a text to Florida at 20:00",
    florida,
    { channel: "text", at: "2026-11-21T01:00:00Z" },
    "outside_hours",
    "2026-11-21T13:00:00Z",
  ],
  ["Oklahoma at 19:59:59.999", oklahoma, { at: "2026-11-21T01:59:59.999Z" }, null],
  ["Oklahoma at 20:00", oklahoma, { at: "2026-11-21T02:00:00Z" }, "outside_hours", "2026-11-21T14:00:00Z"],
  [
    "Texas at 20:00",
    { phoneE164: "+15125550142", timeZone: "America/Chicago" },
    { at: "2026-11-21T02:00:00Z" },
    null,
  ],
  // The nights when the clocks change.
  [
    "Florida's evening before the clocks go forward",
    florida,
    { at: "2026-03-08T01:00:00Z" },
    "outside_hours",
    "2026-03-08T12:00:00Z",
  ],
  [
    "Florida's evening after it",
    florida,
    { at: "2026-03-09T00:00:00Z" },
    "outside_hours",
    "2026-03-09T12:00:00Z",
  ],
  [
    "Florida's evening before the clocks go back",
    florida,
    { at: "2026-11-01T00:00:00Z" },
    "outside_hours",
    "2026-11-01T13:00:00Z",
  ],
  ["Florida's evening after it, an hour before the end", florida, { at: "2026-11-02T00:59:59.999Z" }, null],
  [
    "Florida's evening after it",
    florida,
    { at: "2026-11-02T01:00:00Z" },
    "outside_hours",
    "2026-11-02T13:00:00Z",
  ],
  [
    "Oklahoma's evening before the clocks go forward",
    oklahoma,
    { at: "2026-03-08T02:00:00Z" },
    "outside_hours",
    "2026-03-08T13:00:00Z",
  ],
  [
    "Oklahoma's evening before the clocks go back",
    oklahoma,
    { at: "2026-11-01T01:00:00Z" },
    "outside_hours",
    "2026-11-01T14:00:00Z",
  ],
  // If the zone and the number's area differ, the hours of both apply.
  [
    "an area code of Florida in a zone of Chicago, 8:30 in Miami",
    { phoneE164: "+16895550142", timeZone: "America/Chicago" },
    { at: "2026-11-20T13:30:00Z" },
    "outside_hours",
    "2026-11-20T14:00:00Z",
  ],
  [
    "the same, 20:00 in Miami",
    { phoneE164: "+16895550142", timeZone: "America/Chicago" },
    { at: "2026-11-21T01:00:00Z" },
    "outside_hours",
    "2026-11-21T14:00:00Z",
  ],
  [
    "Florida's west by its exchange, 19:30 there",
    { phoneE164: "+18502345678", timeZone: "America/Chicago" },
    { at: "2026-11-21T01:30:00Z" },
    "outside_hours",
    "2026-11-21T14:00:00Z",
  ],
  [
    "an area code of Florida whose owner lives in California",
    { ...florida, timeZone: "America/Los_Angeles" },
    { at: "2026-11-20T15:00:00Z" },
    "outside_hours",
    "2026-11-20T16:00:00Z",
  ],
  [
    "an area code of Florida without a zone",
    { ...florida, timeZone: null },
    { at: "2026-11-21T01:00:00Z" },
    "outside_hours",
    "2026-11-21T13:00:00Z",
  ],
  [
    "an address in Florida with a number of New York",
    { addressState: " florida " },
    { at: "2026-11-21T01:00:00Z" },
    "outside_hours",
    "2026-11-21T14:00:00Z",
  ],
  [
    "an address in Oklahoma with a number of Florida",
    { ...florida, addressState: "OK" },
    { at: "2026-11-20T13:30:00Z" },
    "outside_hours",
    "2026-11-20T14:00:00Z",
  ],
  [
    "an address in Oklahoma and one in Florida with a number of New York",
    { addressState: "OK&FL" },
    { at: "2026-11-20T13:30:00Z" },
    "outside_hours",
    "2026-11-20T14:00:00Z",
  ],
  [
    "a number of New York whose contact lives in California, at 10:30 in New York",
    { timeZone: "America/New_York&America/Los_Angeles" },
    { at: "2026-11-20T15:30:00Z" },
    "outside_hours",
    "2026-11-20T16:00:00Z",
  ],
  ["an address in New York", { addressState: "NY" }, { at: "2026-11-21T01:00:00Z" }, null],
  ["Florida in the open market", florida, { market: "OPEN", at: "2026-11-21T05:00:00Z" }, null],
  // Three in any 24 hours, regardless of the calendar day.
  [
    "a fourth call to Florida within 24 hours",
    { ...florida, ...thrice("2026-11-19T20:30:00Z") },
    {},
    "attempt_cap",
    "2026-11-20T20:30:00Z",
  ],
  ["a fourth call to Florida after 24 hours", { ...florida, ...thrice("2026-11-19T20:00:00Z") }, {}, null],
  [
    "a fourth call to Oklahoma",
    { ...oklahoma, ...thrice("2026-11-20T14:00:00Z") },
    {},
    "attempt_cap",
    "2026-11-21T14:00:00Z",
  ],
  [
    "a fourth call whose 24 hours end at night",
    { ...florida, ...thrice("2026-11-20T03:00:00Z") },
    {},
    "attempt_cap",
    "2026-11-21T13:00:00Z",
  ],
  [
    "a first call to a lead of Florida whose number rang three times",
    { ...florida, numberCalls: thrice("2026-11-20T14:00:00Z").lastCalls },
    {},
    "attempt_cap",
    "2026-11-21T14:00:00Z",
  ],
  [
    "a first call to a lead of New York whose number rang six times",
    { numberCalls: sixth(new Date("2026-11-20T14:00:00Z")) },
    {},
    null,
  ],
  [
    "a text to a lead of Florida whose number rang three times",
    { ...florida, numberCalls: thrice("2026-11-20T14:00:00Z").lastCalls },
    { channel: "text" },
    null,
  ],
  ["a third call to Florida", { ...florida, lastCalls: [now, now] }, {}, null],
  ["a fourth call to New York", thrice("2026-11-20T14:00:00Z"), {}, null],
  [
    "a text after three calls to Florida",
    { ...florida, ...thrice("2026-11-20T14:00:00Z") },
    { channel: "text" },
    null,
  ],
  [
    "a fourth call over the night in which the clocks go back",
    { ...florida, lastCalls: [1, 2, 3].map(() => new Date("2026-10-31T18:00:00Z")) },
    { at: "2026-11-01T17:59:59.999Z" },
    "attempt_cap",
    "2026-11-01T18:00:00Z",
  ],
  [
    "a fourth call over the night in which they go forward",
    { ...florida, lastCalls: [1, 2, 3].map(() => new Date("2026-03-07T18:00:00Z")) },
    { at: "2026-03-08T18:00:00Z" },
    null,
  ],
  [
    "a seventh call to Florida the next day",
    { ...florida, lastCalls: sixth(new Date("2026-11-20T14:00:00Z")) },
    {},
    "attempt_cap",
    "2026-11-21T14:00:00Z",
  ],
  [
    "an override of a state's cap",
    { ...florida, ...thrice("2026-11-20T14:00:00Z") },
    { overridden: true },
    null,
  ],
];

describe("decideContact", () => {
  it.each(stateCases)("%s", (_what, changes, asked, reason, next) => {
    const expected = reason
      ? { allowed: false, reason, ...(next && { nextAllowedAt: new Date(next) }) }
      : { allowed: true };
    expect(ask(changes, asked)).toEqual(expected);
  });

  it.each(cases)("%s", (_what, changes, asked, reason, next) => {
    const expected = reason
      ? { allowed: false, reason, ...(next && { nextAllowedAt: new Date(next) }) }
      : { allowed: true };
    expect(ask(changes, asked)).toEqual(expected);
  });

  it("returns for the lead only what holds for every user", () => {
    const rules = { market: markets.US, orgTimeZone: "America/New_York" };
    expect(decideContact({ lead, channel: "call", now, rules })).toEqual({ allowed: true });
  });

  it("allows the contact at the time it returns, when nothing else changes", () => {
    for (const [, changes, asked, , next] of [...cases, ...stateCases]) {
      if (next && !asked.rep?.daySlot && !changes.leadOnCall)
        expect(ask(changes, { ...asked, at: next })).toEqual({ allowed: true });
    }
  });
});
