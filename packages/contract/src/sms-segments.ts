/** How an SMS is sent: its encoding, and the number of segments it is charged as. */
export interface SmsSegments {
  encoding: "GSM-7" | "UCS-2";
  segments: number;
  /** Units of the encoding; an extension character of GSM-7 takes two. */
  units: number;
  /** Units that fit in one segment at this length. */
  unitsPerSegment: number;
}

/** GSM 03.38, basic table. It lacks the Spanish letters á, í, ó and ú; it has é, ñ, ü, ¿ and ¡. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Extension table: each character is sent as an escape and a second unit. */
const extension = new Set("^{}\\[~]|€\f");

const sizes = { "GSM-7": { one: 160, many: 153 }, "UCS-2": { one: 70, many: 67 } } as const;

const accents: Record<string, string> = { á: "a", í: "i", ó: "o", ú: "u", Á: "A", Í: "I", Ó: "O", Ú: "U" };

/** Replaces the accented letters that GSM-7 lacks. Spanish text mostly needs only this to fit into fewer segments. */
export const withoutAccents = (text: string): string =>
  text.normalize("NFC").replaceAll(/[áíóúÁÍÓÚ]/g, (letter) => accents[letter] ?? letter);

/** Units of each character; null if one of them is not in GSM-7. */
function gsmUnits(characters: string[]): number[] | null {
  const units = characters.map((character) => (basic.has(character) ? 1 : extension.has(character) ? 2 : 0));
  return units.includes(0) ? null : units;
}

/** Number of segments of `size` units; a character is never split. */
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

/** Counts the segments of an SMS (GSM 03.38 and 03.40): a single one holds 160 GSM-7 or 70 UCS-2 units, each of several 153 or 67. */
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
