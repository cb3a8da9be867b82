import type { ContactHours } from "../../domain/contact-window.ts";

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
export const usStates: readonly StateRule[] = [
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
