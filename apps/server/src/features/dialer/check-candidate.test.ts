import type { DialerSource } from "@portal/contract/entities/dialer";
import { defaultRetryRules } from "@portal/contract/entities/retry";
import { describe, expect, it } from "vitest";
import { type LeadFacts, markets } from "../contact-policy/decide-contact.ts";
import { findSkipReason } from "./check-candidate.ts";
import type { DialFacts } from "./item-repository.ts";

const now = new Date("2026-06-10T16:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const rules = { retry: defaultRetryRules, contact: { market: markets.US, orgTimeZone: "America/New_York" } };

/** A lead in New York, where it is noon, called five hours ago: the next attempt is due. */
const lead: LeadFacts & DialFacts = {
  phone: "+12125550142",
  phoneE164: "+12125550142",
  callOptOut: null,
  textOptOut: null,
  deleted: false,
  numberFault: null,
  timeZone: "America/New_York",
  addressState: null,
  consentAt: null,
  leadOnCall: false,
  lastCalls: null,
  numberCalls: null,
  lastTextSlot: null,
  status: "contacted",
  leased: false,
  dialled: false,
  lastAttemptAt: minutes(-300),
  plannedAt: null,
  tries: [[minutes(-300).getTime(), "no_answer"]],
  talkedAt: null,
  retryFrom: null,
  followUpAt: null,
  followUpDate: null,
};
const untried = { tries: [], lastAttemptAt: null };
const promise = (inMinutes: number) => ({ followUpAt: minutes(inMinutes), followUpDate: minutes(inMinutes) });
const all: DialerSource = { kind: "filter", status: "all" };
const chosen: DialerSource = { kind: "selection", leadIds: [1] };
const before = { plannedAt: minutes(-10) };
const since = { plannedAt: minutes(-1) };
const two = minutes(120);
/** 8:00 on the day after tomorrow: a day starts at midnight, contact hours in the morning. */
const friday = new Date("2026-06-12T12:00:00Z");

describe("a planned follow-up call", () => {
  it.each<
    [what: string, source: DialerSource, facts: Partial<typeof lead>, expected: [string | null, Date | null]]
  >([
    ["a try that is due", all, {}, [null, null]],
    ["waits for its time, whatever the rule says", all, promise(120), ["promised", two]],
    ["also where nobody tried", all, { ...promise(120), ...untried }, ["promised", two]],
    ["among the follow-ups of today too", { kind: "follow_ups" }, promise(120), ["promised", two]],
    ["has come", all, promise(-1), [null, null]],
    ["is in a minute", all, promise(1), ["promised", minutes(1)]],
    [
      "of a day without a time",
      all,
      { followUpDate: new Date("2026-06-12T17:00:00Z") },
      ["promised", friday],
    ],
    ["of today without a time", all, { followUpDate: minutes(300) }, [null, null]],
    ["of a number at fault", all, { ...promise(120), numberFault: "wrong_number" }, ["number_fault", null]],
    ["chosen by hand", chosen, { ...promise(120), ...before }, [null, null]],
    ["chosen by hand, planned by nobody who is known", chosen, promise(120), [null, null]],
    ["chosen by hand, planned since", chosen, { ...promise(120), ...since }, ["promised", two]],
    ["who called and reached nobody", { kind: "call_back" }, { ...promise(120), ...before }, [null, null]],
    [
      "of Today, planned since it was listed",
      { kind: "today" },
      { ...promise(120), ...since },
      ["promised", two],
    ],
  ])("%s", (_what, source, facts, [reason, allowedAt]) => {
    for (const includeTried of [false, true]) {
      const wish = { source, includeTried, startedAt: minutes(-5) };
      const found = findSkipReason({ ...lead, ...facts }, { wish, rules, now });
      expect({ includeTried, ...found }).toEqual({ includeTried, reason, allowedAt });
    }
  });
});
