import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { memoize } from "./memoize.ts";
import { phoneZones } from "./phone-zones.ts";

/** Whether +1 numbers with these first six digits may be dialed. The numbering plan does not depend on the other digits. */
const nanpPrefixes = new Map<string, boolean>();
const keptPrefixes = 50_000;
/** A +1 number in a common format and nothing else. */
const plainNanp = /^\s*(?:\+?1[\s.-]?)?\(?([2-9]\d{2})\)?[\s.-]?(\d{3})[\s.-]?(\d{4})\s*$/;

/** Until August 2019 Mexican mobile numbers had a 1 after the country code. Numbers with it no longer connect. */
const formerMexican = /^\+521(\d{10})$/;

/** Invisible characters (zero width, direction, soft hyphens), which come with copied text. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** Prefixes of numbers in links, messengers and Meta's exports of lead ads. */
const mark = /^\s*(?:tel|callto|whatsapp|p):\s*/i;

/** International prefix in most of the world. No +1 number begins with it. */
const doubleZero = /^\s*00[\s.-]*(?=[1-9])/;

/** Removes invisible characters. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, "");
}

/** Removes from a number what a person would not type: invisible characters, unusual spaces, `tel:`, Meta's `p:` and similar prefixes. */
export function plainPhone(typed: string): string {
  return withoutUnseen(typed)
    .replace(/\p{Space_Separator}/gu, " ")
    .replace(mark, "");
}

function readByLibrary(typed: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false });
  if (!parsed?.isValid()) {
    const former = formerMexican.exec(parsed?.number ?? "");
    return former && readByLibrary(`+52${former[1]}`, country);
  }
  return parsed.getType() === "PREMIUM_RATE" ? null : parsed.number;
}

/** The library takes 30 µs for a number, which adds up in a file of 100,000 rows, so common +1 numbers are checked once for each prefix. */
function readNanp(typed: string): string | null | undefined {
  const match = plainNanp.exec(typed);
  if (!match) return undefined;
  const [, area = "", exchange = "", line = ""] = match;
  const prefix = area + exchange;
  let isValid = nanpPrefixes.get(prefix);
  if (isValid === undefined) {
    isValid = readByLibrary(`+1${prefix}${line}`, "US") !== null;
    if (nanpPrefixes.size >= keptPrefixes) nanpPrefixes.clear();
    nanpPrefixes.set(prefix, isValid);
  }
  return isValid ? `+1${prefix}${line}` : null;
}

/**
 * Parses a number in any format and returns E.164 (for example +12125550100). Null if it is not a valid number or has a premium rate.
 * Numbers without a country code are parsed in `country`.
 */
export function toE164(typed: string | null | undefined, country: CountryCode): string | null {
  const plain = plainPhone(typed ?? "");
  if (!plain.trim()) return null;
  const nanp = country === "US" ? readNanp(plain) : undefined;
  return nanp === undefined ? readByLibrary(plain.replace(doubleZero, "+"), country) : nanp;
}

/** Hides all digits except the last two, for logs. */
export function maskPhone(number: string): string {
  return number.replace(/\d(?=\d{2})/g, "•");
}

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
