import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";

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
