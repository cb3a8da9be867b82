import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Whether numbers of +1 that begin with these six digits may be dialled: the numbering plan looks no further. */
const nanpPrefixes = new Map<string, boolean>();
const keptPrefixes = 50_000;
/** A number of +1 in the usual writings, nothing else around it. */
const plainNanp = /^\s*(?:\+?1[\s.-]?)?\(?([2-9]\d{2})\)?[\s.-]?(\d{3})[\s.-]?(\d{4})\s*$/;

/** Mexico's mobile numbers had a 1 behind the country's code until August 2019; who is dialled with it today is not reached. */
const formerMexican = /^\+521(\d{10})$/;

/** Signs that nobody sees (of no width, of direction, of order, soft hyphens): they come along with what is copied. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

/** What is before a number in links and messengers, and in Meta's exports of lead ads. */
const mark = /^\s*(?:tel|callto|whatsapp|p):\s*/i;

/** Before a country's code in most of the world; no number of +1 begins so. */
const doubleZero = /^\s*00[\s.-]*(?=[1-9])/;

/** A text without the signs that nobody sees. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, "");
}

/** A number as it was typed, without what a person would not have typed: unseen signs, unusual blanks, `tel:`, Meta's `p:` and their like. */
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

/** The library takes 30 µs a number, which a file of 100,000 rows feels: usual numbers of +1 are judged once for each prefix. */
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
 * Reads a number as a person types it, in any format, and answers E.164 (for example +12125550100), or null where it is no
 * number that may be dialled: none at all, or one of a premium rate. Numbers without a prefix are read in `country`.
 */
export function toE164(typed: string | null | undefined, country: CountryCode): string | null {
  const plain = plainPhone(typed ?? "");
  if (!plain.trim()) return null;
  const nanp = country === "US" ? readNanp(plain) : undefined;
  return nanp === undefined ? readByLibrary(plain.replace(doubleZero, "+"), country) : nanp;
}

/** All but the last two digits hidden, for logs. */
export function maskPhone(number: string): string {
  return number.replace(/\d(?=\d{2})/g, "•");
}
