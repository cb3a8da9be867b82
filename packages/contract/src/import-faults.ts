/** Why a record cannot be imported. */
export const importFaultCodes = [
  "no_contact",
  "invalid_email",
  "invalid_phone",
  "too_long",
  "too_deep",
  "broken_text",
  "not_a_record",
  "not_cells",
  "too_many_cells",
  "not_yours",
  "not_stored",
] as const;
export type ImportFaultCode = (typeof importFaultCodes)[number];

/** A reason and the value it refers to: the address or number as received, or the name of a field that is too long. */
export interface ImportFault {
  code: ImportFaultCode;
  value: string | null;
}

/** The reason in English, for API clients and files; the web app has its own texts. */
export function importFaultText({ code, value }: ImportFault): string {
  switch (code) {
    case "no_contact":
      return "Has neither an email nor a phone number";
    case "invalid_email":
      return `Invalid email address: ${value}`;
    case "invalid_phone":
      return `Invalid phone number: ${value} (and no email)`;
    case "too_long":
      return `${value} is too long`;
    case "too_deep":
      return `Is nested too deeply: ${value}`;
    case "broken_text":
      return `Has broken characters: ${value}`;
    case "not_a_record":
      return "Is not a record";
    case "not_cells":
      return "Is not a row of cells";
    case "too_many_cells":
      return `Has more cells than the header (${value})`;
    case "not_yours":
      return "This lead is another consultant's";
    case "not_stored":
      return "Could not be stored";
  }
}
