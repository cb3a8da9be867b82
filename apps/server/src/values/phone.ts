import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Reads a number as a person types it, in any format, and answers E.164 (for example +12125550100), or null where it is no
 * number that may be dialled: none at all, or one of a premium rate. Numbers without a prefix are read in `country`.
 */
export function toE164(typed: string | null | undefined, country: CountryCode): string | null {
  if (!typed?.trim()) return null;
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false });
  if (!parsed?.isValid() || parsed.getType() === "PREMIUM_RATE") return null;
  return parsed.number;
}

/** All but the last two digits hidden, for logs. */
export function maskPhone(number: string): string {
  return number.replace(/\d(?=\d{2})/g, "•");
}
