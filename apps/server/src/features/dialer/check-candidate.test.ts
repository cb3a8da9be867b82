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
    ["is not required for a try that is due", all, {}, [null, null]],
    ["delays the lead until its time, whatever the rule says", all, promise(120), ["promised", two]],
    ["delays a lead that was never tried", all, { ...promise(120), ...untried }, ["promised", two]],
    ["delays a lead in today's follow-ups", { kind: "follow_ups" }, promise(120), ["promised", two]],
    ["no longer delays the lead at its time", all, promise(-1), [null, null]],
    ["delays the lead by a minute", all, promise(1), ["promised", minutes(1)]],
    [
      "without a time delays the lead until its day",
      all,
      { followUpDate: new Date("2026-06-12T17:00:00Z") },
      ["promised", friday],
    ],
    ["without a time does not delay the lead on its day", all, { followUpDate: minutes(300) }, [null, null]],
    [
      "does not change a faulty number",
      all,
      { ...promise(120), numberFault: "wrong_number" },
      ["number_fault", null],
    ],
    [
      "does not delay a lead selected by hand afterwards",
      chosen,
      { ...promise(120), ...before },
      [null, null],
    ],
    [
      "does not delay a lead selected by hand when its time of planning is unknown",
      chosen,
      promise(120),
      [null, null],
    ],
    [
      "delays a lead selected by hand before it was planned",
      chosen,
      { ...promise(120), ...since },
      ["promised", two],
    ],
    [
      "does not delay a lead to call back",
      { kind: "call_back" },
      { ...promise(120), ...before },
      [null, null],
    ],
    [
      "delays a lead of Today when planned since it was listed",
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
