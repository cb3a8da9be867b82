import { limits } from "@portal/contract/limits";
import { plainPhone, toE164, withoutUnseen } from "./phone.ts";

/** What exports write where there is nothing. */
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
/** Only in brackets is a word like 'Null' or 'Blank' no surname. */
const bracketed = new RegExp(
  `[[(<{]+\\s*(?:${emptyWords}|na|none|null|undefined|empty|blank|hidden)\\s*[\\])>}]+`,
  "gi",
);

/** A cell that says in writing that it is empty. */
export function saysNothing(cell: string): boolean {
  return nothing.test(cell) || isPlaceholder(cell);
}

/** What other systems write into a field that must not be empty: Salesforce's '[not provided]' and '[[Unknown]]', 'N/A', 'Sin nombre'. */
export function isPlaceholder(text: string): boolean {
  return (
    /^(?:null|NULL|undefined)$/.test(text) || placeholder.test(text) || text.replace(bracketed, "") === ""
  );
}

/** A name without the placeholder of a part that is missing: 'Ana [not provided]' is 'Ana'. */
export function withoutPlaceholders(name: string): string {
  return name.replace(bracketed, " ").trim();
}

/**
 * Text as it can be stored and was meant: no U+0000, no half characters; without Excel's ="…" and the apostrophe that guards a formula.
 */
export function cleanText(typed: string): string {
  const text = typed.replaceAll("\u0000", "").toWellFormed().trim();
  if (text.startsWith('="') && text.endsWith('"') && text.length > 2) return text.slice(2, -1).trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}

const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]{2,}$/;

function isAddress(text: string): boolean {
  return text.length <= limits.emailMaxLength && address.test(text) && !/\.\.|^\.|\.@|@\.|@-/.test(text);
}

/** An address and nothing else, of the usual characters: it need not be looked for. */
const plainAddress = /^[\w.+-]+@[\w.-]+\.[a-z]{2,}$/i;

/** The first e-mail address of a cell ('Ana <ana@example.com>', 'a@example.com; b@example.com'), lower case; null without one. */
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

/** 1.3055550111E+10 with all its digits; rounded ones are lost. */
function withoutExponent(cell: string): string {
  const match = /^(\d)[.,]?(\d*)E\+?(\d{1,2})$/i.exec(cell);
  if (!match) return cell.replace(/^(\+?\d{7,15})[.,]0+$/, "$1");
  const [, first = "", rest = "", exponent = "0"] = match;
  return rest.length === Number(exponent) ? first + rest : cell;
}

/**
 * The first number of a cell that can be dialled, as a person would type it and in E.164; without one the cell as it came, and `phoneE164`
 * null.
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
