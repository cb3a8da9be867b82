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

/** Answers by the digits that decide: looking for the longest beginning takes a microsecond, which a file of 100,000 rows feels. */
const zonesOfDigits = memoize(20_000, findZones);

/**
 * The IANA zone of a number's area, several joined with '&' where the area spans them; null where it has none (toll-free) or is not
 * known. The longest known beginning of the number decides.
 */
export function phoneTimeZone(e164: string | null): string | null {
  return zonesOfDigits(e164?.slice(1, longestPrefix + 1) ?? "");
}

/** Where a number belongs and whether calling it costs more than a call. */
export interface PhoneKind {
  /** ISO 3166, or null where the number belongs to no country (satellite). */
  country: string | null;
  premium: boolean;
}

const premiumTypes = new Set<string | undefined>(["PREMIUM_RATE", "SHARED_COST", "PERSONAL_NUMBER"]);
/** Exchanges that North American carriers bill as 900 numbers; libphonenumber does not know them. */
const premiumExchange = /^\+1\d{3}976/;

/** What kind of number this is. Answers are cached: lists ask about the same numbers again and again. */
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
 * The language to speak to somebody in: the one that is known, else that of the number's country where it speaks Spanish, else the
 * organisation's.
 */
export function spokenLanguage(input: {
  known: "en" | "es" | null;
  /** E.164, or null where it is not known. */
  number: string | null;
  organisation: "en" | "es";
}): "en" | "es" {
  if (input.known) return input.known;
  const country = input.number ? parsePhoneNumberFromString(input.number)?.country : undefined;
  return country && spanish.has(country) ? "es" : input.organisation;
}
