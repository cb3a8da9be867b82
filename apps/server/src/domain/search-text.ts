/** Lower case without accents: 'María' and 'MARIA' become 'maria', 'Ñ' becomes 'n'. */
export function foldText(text: string): string {
  // Most texts are ASCII, and removing accents is slow.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/ {2,}/g, " ").trim();
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/\s+/g, " ")
    .trim();
}

const digitsOf = (phone: string | null | undefined) => phone?.replace(/\D/g, "") ?? "";

/** The search text is limited so that the trigram index stays small. In longer texts each part is cut to this many UTF-16 units. */
const longest = 800;
const partsHeld = [300, 250, 150, 60, 20];

/**
 * Returns a lead's stored search column: folded name, email and company, and the digits of the phone. The digits as typed are added only if
 * the E.164 number does not contain them. At most 2,400 bytes of UTF-8.
 */
export function searchText(lead: {
  name: string;
  email?: string | null;
  company?: string | null;
  phone?: string | null;
  phoneE164?: string | null;
}): string {
  const whole = digitsOf(lead.phoneE164);
  const typed = digitsOf(lead.phone);
  const parts = [
    foldText(lead.name),
    foldText(lead.email ?? ""),
    foldText(lead.company ?? ""),
    // Every search that would match these digits also matches the E.164 number.
    whole.includes(typed) ? "" : typed,
    whole,
  ];
  const text = parts.filter(Boolean).join(" ");
  if (text.length <= longest) return text;
  const held = parts.map((part, index) => part.slice(0, partsHeld[index]).toWellFormed());
  return held.filter(Boolean).join(" ");
}

/**
 * Returns the folded words of a typed search; each must match. A word that is mostly a phone number is reduced to its digits, so that
 * '(212) 555-0100' finds +12125550100.
 */
export function searchTerms(typed: string): string[] {
  const folded = foldText(typed).replace(/^tel:\s*/, "");
  if (/^[\d\s()+./-]+$/.test(folded) && /\d/.test(folded)) return [digitsTyped(folded)];
  // A phone number among words is one term.
  const joined = folded.replace(/(?<!\S)[+(]?\d[\d ()+./-]*\d(?!\S)/g, (number) =>
    digitsOf(number).length >= 7 ? digitsTyped(number) : number,
  );
  return joined.split(" ").filter(Boolean).slice(0, 8);
}

/** The digits of a typed number, without a leading 00 for the plus. */
const digitsTyped = (number: string) => digitsOf(number).replace(/^00(?=\d{7})/, "");

/** A LIKE pattern that matches the term anywhere. LIKE's special characters are escaped. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/**
 * LIKE patterns that match a term of one or two letters at the beginning of a text or of a word, because a trigram index cannot find so few
 * letters inside words.
 */
export function wordPatterns(term: string): string[] {
  const pattern = likePattern(term).slice(1);
  return [pattern, `% ${pattern}`];
}

/** Accented forms of letters that people type without accents. */
const accented: Record<string, string> = { a: "á", e: "é", i: "í", o: "ó", u: "úü", n: "ñ", c: "ç" };

/**
 * A pattern for PostgreSQL's `~*` that matches a folded term in texts with Spanish accents; a term of one or two letters only at the
 * beginning of a word. Special characters are escaped.
 */
export function accentPattern(term: string): string {
  const letters = [...term].map((letter) => {
    if (accented[letter]) return `[${letter}${accented[letter]}]`;
    return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`;
  });
  return term.length > 2 ? letters.join("") : `(^|[^[:alnum:]])${letters.join("")}`;
}
