import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

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
