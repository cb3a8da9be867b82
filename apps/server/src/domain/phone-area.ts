import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { memoize } from "./memoize.ts";
import { phoneZones } from "./phone-zones.ts";

const zoneOfPrefix = new Map(
  Object.entries(phoneZones).flatMap(([zones, prefixes]) =>
    prefixes.split(/\s+/).map((prefix): [string, string] => [prefix, zones]),
  ),
);
const longestPrefix = Math.max(...[...zoneOfPrefix.keys()].map(({ length }) => length));

function findZones(digits: string): string | null {
  for (let length = digits.length; length > 2; length -= 1) {
    const zones = zoneOfPrefix.get(digits.slice(0, length));
    if (zones) return zones;
  }
  return null;
}

/** Cached by the digits that decide: finding the longest prefix takes a microsecond, which adds up in a file of 100,000 rows. */
const zonesOfDigits = memoize(20_000, findZones);

/**
 * Returns the IANA zone of a number's area, or several joined with '&'. Null if the number has no area (toll-free) or it is unknown. The
 * longest known prefix of the number decides.
 */
export function phoneTimeZone(e164: string | null): string | null {
  return zonesOfDigits(e164?.slice(1, longestPrefix + 1) ?? "");
}

/** A number's country, and whether calls to it have a surcharge. */
export interface PhoneKind {
  /** ISO 3166; null if the number belongs to no country (satellite). */
  country: string | null;
  premium: boolean;
}

const premiumTypes = new Set<string | undefined>(["PREMIUM_RATE", "SHARED_COST", "PERSONAL_NUMBER"]);
/** Exchanges that North American carriers bill like 900 numbers. libphonenumber does not know them. */
const premiumExchange = /^\+1\d{3}976/;

/** Returns the kind of a number. Cached because lists ask about the same numbers repeatedly. */
export const phoneKind = memoize(20_000, (e164): PhoneKind => {
  const parsed = parsePhoneNumberFromString(e164);
  return {
    country: parsed?.country ?? null,
    premium: premiumTypes.has(parsed?.getType()) || premiumExchange.test(e164),
  };
});

const spanish = new Set<CountryCode>([
  "AR",
  "BO",
  "CL",
  "CO",
  "CR",
  "CU",
  "DO",
  "EC",
  "ES",
  "GQ",
  "GT",
  "HN",
  "MX",
  "NI",
  "PA",
  "PE",
  "PR",
  "PY",
  "SV",
  "UY",
  "VE",
]);

/**
 * Returns the language for speaking to a person: the known one, else Spanish if the number's country speaks it, else the organization's.
 */
export function spokenLanguage(input: {
  known: "en" | "es" | null;
  /** E.164; null if it is unknown. */
  number: string | null;
  organization: "en" | "es";
}): "en" | "es" {
  if (input.known) return input.known;
  const country = input.number ? parsePhoneNumberFromString(input.number)?.country : undefined;
  return country && spanish.has(country) ? "es" : input.organization;
}
