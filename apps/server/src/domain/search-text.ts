/** Lower case without accents: 'María' and 'MARIA' fold to 'maria'; 'Ñ' to 'n'. */
export function foldText(text: string): string {
  // Most texts are plain, and taking accents off is slow.
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

/** What a lead is found by is bounded, so that the trigram index stays small: of longer texts each part is held by so many UTF-16 units. */
const longest = 800;
const partsHeld = [300, 250, 150, 60, 20];

/**
 * The stored search column of a lead: folded name, e-mail and company, and the digits of the phone, as typed where the whole number does
 * not hold them. At most 2,400 bytes of UTF-8.
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
    // What is looked for in them is found in the whole number.
    whole.includes(typed) ? "" : typed,
    whole,
  ];
  const text = parts.filter(Boolean).join(" ");
  if (text.length <= longest) return text;
  const held = parts.map((part, index) => part.slice(0, partsHeld[index]).toWellFormed());
  return held.filter(Boolean).join(" ");
}

/**
 * What a typed search looks for: folded words, each of which must occur. A word that is mostly a phone number is reduced
 * to its digits, so that '(212) 555-0100' finds +12125550100.
 */
export function searchTerms(typed: string): string[] {
  const folded = foldText(typed).replace(/^tel:\s*/, "");
  if (/^[\d\s()+./-]+$/.test(folded) && /\d/.test(folded)) return [digitsTyped(folded)];
  // A whole number among words is one term.
  const joined = folded.replace(/(?<!\S)[+(]?\d[\d ()+./-]*\d(?!\S)/g, (number) =>
    digitsOf(number).length >= 7 ? digitsTyped(number) : number,
  );
  return joined.split(" ").filter(Boolean).slice(0, 8);
}

/** The digits of a number as it is typed, without the 00 that stands for the plus. */
const digitsTyped = (number: string) => digitsOf(number).replace(/^00(?=\d{7})/, "");

/** A term as a LIKE pattern: found anywhere, with LIKE's own signs taken literally. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** A term as the beginning of a text, or of a word in it: of one or two letters, by which an index finds nothing in the midst of words. */
export function wordPatterns(term: string): string[] {
  const pattern = likePattern(term).slice(1);
  return [pattern, `% ${pattern}`];
}

/** Letters that are typed without their accents. */
const accented: Record<string, string> = { a: "á", e: "é", i: "í", o: "ó", u: "úü", n: "ñ", c: "ç" };

/**
 * A folded term as a pattern for PostgreSQL's `~*` in texts that are not folded: with or without Spanish accents, a term of one or two letters
 * at the beginning of a word. Its own signs are taken literally.
 */
export function accentPattern(term: string): string {
  const letters = [...term].map((letter) => {
    if (accented[letter]) return `[${letter}${accented[letter]}]`;
    return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`;
  });
  return term.length > 2 ? letters.join("") : `(^|[^[:alnum:]])${letters.join("")}`;
}
