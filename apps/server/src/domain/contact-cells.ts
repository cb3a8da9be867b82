import { limits } from "@portal/contract/limits";
import { plainPhone, toE164, withoutUnseen } from "./phone.ts";

/** Values that exports write into empty cells. */
const nothing =
  /^(?:n\/?a|#n\/a|null|undefined|none|nil|nan|no|sin (?:correo|email|tel[eé]fono)|ninguno|[-–—.?]+|0)$/i;

const emptyWords = [
  "not (?:provided|specified|available|set|given)",
  "no (?:value|name|last ?name|company)",
  "n/a|unknown|unspecified|desconocid[oa]",
  "no (?:proporcionad[oa]|especificad[oa]|definid[oa]|indicad[oa]|disponible)",
  "sin (?:nombre|apellidos?|empresa|datos|valor|especificar)",
].join("|");
const placeholder = new RegExp(`^(?:${emptyWords}|[-–—._?]+)$`, "i");
/** Words like 'Null' or 'Blank' are also surnames, so they are placeholders only in brackets. */
const bracketed = new RegExp(
  `[[(<{]+\\s*(?:${emptyWords}|na|none|null|undefined|empty|blank|hidden)\\s*[\\])>}]+`,
  "gi",
);

/** Whether a cell's text means that it is empty. */
export function saysNothing(cell: string): boolean {
  return nothing.test(cell) || isPlaceholder(cell);
}

/**
 * Whether a text is a placeholder that other systems write into a required field: Salesforce's '[not provided]' and '[[Unknown]]', 'N/A',
 * 'Sin nombre'.
 */
export function isPlaceholder(text: string): boolean {
  return (
    /^(?:null|NULL|undefined)$/.test(text) || placeholder.test(text) || text.replace(bracketed, "") === ""
  );
}

/** Removes the placeholder of a missing part from a name: 'Ana [not provided]' becomes 'Ana'. */
export function withoutPlaceholders(name: string): string {
  return name.replace(bracketed, " ").trim();
}

/** Text ready to be stored: without U+0000 and lone surrogates, and without Excel's ="…" and the apostrophe that protects from formulas. */
export function cleanText(typed: string): string {
  const text = typed.replaceAll("\u0000", "").toWellFormed().trim();
  if (text.startsWith('="') && text.endsWith('"') && text.length > 2) return text.slice(2, -1).trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]{2,}$/;

function isAddress(text: string): boolean {
  return text.length <= limits.emailMaxLength && address.test(text) && !/\.\.|^\.|\.@|@\.|@-/.test(text);
}

/** A cell that is only a common email address, so that no address has to be searched for in it. */
const plainAddress = /^[\w.+-]+@[\w.-]+\.[a-z]{2,}$/i;

/**
 * Returns the first email address of a cell ('Ana <ana@example.com>', 'a@example.com; b@example.com') in lower case, or null. `others`: the
 * cell has further parts with an @.
 */
export function readEmail(typed: string): { email: string | null; others: boolean } {
  const cell = withoutUnseen(typed);
  if (plainAddress.test(cell) && isAddress(cell)) return { email: cell.toLowerCase(), others: false };
  const parts = cell
    .replace(/mailto:/gi, "")
    .split(/[\s;,|<>]+|:::/)
    .map((part) => part.replace(/[.)\]'"]+$/, "").replace(/^[(['"]+/, ""))
    .filter((part) => part.includes("@"));
  const found = parts.filter(isAddress);
  return { email: found[0]?.toLowerCase() ?? null, others: parts.length > 1 };
}

/** Expands 1.3055550111E+10 to all its digits. A number that was rounded cannot be restored and stays as it is. */
function withoutExponent(cell: string): string {
  const match = /^(\d)[.,]?(\d*)E\+?(\d{1,2})$/i.exec(cell);
  if (!match) return cell.replace(/^(\+?\d{7,15})[.,]0+$/, "$1");
  const [, first = "", rest = "", exponent = "0"] = match;
  return rest.length === Number(exponent) ? first + rest : cell;
}

/**
 * Returns the first number of a cell that may be dialed, as a person would type it and in E.164. Without one, returns the cell unchanged
 * and `phoneE164` null.
 */
export function readPhone(
  typed: string,
  country: "US" | "ES",
): { phone: string; phoneE164: string | null; others: boolean } {
  const cell = withoutExponent(plainPhone(typed));
  const phoneE164 = toE164(cell, country);
  if (phoneE164) return { phone: cell, phoneE164, others: false };
  const parts = cell.split(/[;,/|\n]|:::|\s(?:or|o|y|and)\s/).map((part) => part.trim());
  if (parts.length > 1)
    for (const part of parts) {
      const e164 = toE164(part, country);
      if (e164) return { phone: plainPhone(part), phoneE164: e164, others: true };
    }
  return { phone: typed, phoneE164: null, others: false };
}
