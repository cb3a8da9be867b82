/** How a text travels: its alphabet, and how many parts it is charged and sent as. */
export interface SmsSegments {
  encoding: "GSM-7" | "UCS-2";
  segments: number;
  /** Units of the alphabet that the text takes; an extension character of GSM-7 takes two. */
  units: number;
  /** Units that one part holds at this length. */
  unitsPerSegment: number;
}

/** GSM 03.38, basic table. Of the Spanish letters á, í, ó and ú are missing; é, ñ, ü, ¿ and ¡ are there. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Extension table: each is sent as an escape and a second unit. */
const extension = new Set("^{}\\[~]|€\f");

const sizes = { "GSM-7": { one: 160, many: 153 }, "UCS-2": { one: 70, many: 67 } } as const;

const accents: Record<string, string> = { á: "a", í: "i", ó: "o", ú: "u", Á: "A", Í: "I", Ó: "O", Ú: "U" };

/** The text with plain letters for the accented ones that GSM-7 lacks: what a Spanish text mostly needs to fit into fewer parts. */
export const withoutAccents = (text: string): string =>
  text.normalize("NFC").replaceAll(/[áíóúÁÍÓÚ]/g, (letter) => accents[letter] ?? letter);

/** Units of each character, or null where one of them is not in GSM-7. */
function gsmUnits(characters: string[]): number[] | null {
  const units = characters.map((character) => (basic.has(character) ? 1 : extension.has(character) ? 2 : 0));
  return units.includes(0) ? null : units;
}

/** Parts of `size` units, where no character is cut in two. */
function countParts(units: number[], size: number): number {
  let parts = 1;
  let filled = 0;
  for (const unit of units) {
    if (filled + unit > size) {
      parts += 1;
      filled = 0;
    }
    filled += unit;
  }
  return parts;
}

/** Counts the parts of a text (GSM 03.38 and 03.40): 160 GSM-7 or 70 UCS-2 units alone, 153 or 67 each where there are several. */
export function smsSegments(text: string): SmsSegments {
  const characters = [...text];
  const gsm = gsmUnits(characters);
  const encoding = gsm ? "GSM-7" : "UCS-2";
  // In UCS-2 a character beyond the basic plane is a pair of surrogates, which stays together.
  const units = gsm ?? characters.map((character) => character.length);
  const total = units.reduce((sum, unit) => sum + unit, 0);
  const { one, many } = sizes[encoding];
  if (total === 0) return { encoding, segments: 0, units: 0, unitsPerSegment: one };
  if (total <= one) return { encoding, segments: 1, units: total, unitsPerSegment: one };
  return { encoding, segments: countParts(units, many), units: total, unitsPerSegment: many };
}
