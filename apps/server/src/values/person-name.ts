import { remembered } from "./remembered.ts";
import { certainNames, contextNames } from "./spanish-accents.ts";

const particles = new Set([
  "de",
  "del",
  "la",
  "las",
  "los",
  "y",
  "e",
  "da",
  "do",
  "dos",
  "das",
  "van",
  "von",
  "der",
  "den",
]);
const allCapitals = /^(ii|iii|iv|llc|inc|usa)$/;

function fold(word: string): string {
  // Most words are plain, and taking accents off is slow.
  if (/^[\x20-\x7e]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}

/** Capitals of its own, as in McAllister or DeJesus: neither all lower, all upper nor only the first letter. */
function hasOwnCapitals(word: string): boolean {
  const letters = word.replace(/[^\p{Letter}]/gu, "");
  if (letters.length < 2) return false;
  const rest = letters.slice(1);
  return letters !== letters.toUpperCase() && rest !== rest.toLowerCase();
}

function capitalise(part: string): string {
  const lower = part.toLowerCase();
  if (allCapitals.test(lower)) return lower.toUpperCase();
  if (/^mc\p{Letter}{3,}$/u.test(lower)) return `Mc${lower.charAt(2).toUpperCase()}${lower.slice(3)}`;
  const [first = ""] = lower;
  const upper = first.toUpperCase();
  // 'ß' and a few others become two letters: no capital of theirs begins a name.
  return (upper.length === first.length ? upper : first) + lower.slice(first.length);
}

function accented(part: string, spanish: boolean): string {
  // A part that carries accents already was spelt with care.
  if (fold(part) !== part.toLowerCase()) return part;
  const known = certainNames.get(fold(part)) ?? (spanish ? contextNames.get(fold(part)) : undefined);
  return known ?? part;
}

function writeWord(word: string, isFirst: boolean, spanish: boolean): string {
  if (hasOwnCapitals(word)) return word;
  if (!isFirst && particles.has(word.toLowerCase())) return word.toLowerCase();
  return word
    .split(/([-'’])/)
    .map((part) => accented(capitalise(part), spanish))
    .join("");
}

/** Names repeat, and writing one takes a microsecond or two, which a file of 100,000 rows feels. */
const keptWords = 5_000;

const isSpanish = remembered(keptWords, (word) =>
  word.split(/[-'’]/).some((part) => certainNames.has(fold(part)) || /ñ/iu.test(part)),
);
const properWord = {
  first: {
    spanish: remembered(keptWords, (word) => writeWord(word, true, true)),
    other: remembered(keptWords, (word) => writeWord(word, true, false)),
  },
  next: {
    spanish: remembered(keptWords, (word) => writeWord(word, false, true)),
    other: remembered(keptWords, (word) => writeWord(word, false, false)),
  },
};
/** Nothing is written differently in it, and there are too many to remember. */
const number = /^[\d.,]+$/;

/** Characters without a look of their own that turn round or hide what stands beside them; the joiners of scripts and emoji are none. */
const invisible = /[\u200B\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A person's name as one would write it: 'maria garcia lopez' → 'María García López', 'JOSE DE LA O' → 'José de la O'.
 * Particles stay small; a word with capitals of its own is left alone; spaces are tidied, invisible controls dropped
 * (specification §5).
 */
export function properName(typed: string): string {
  const words = typed.replace(invisible, "").trim().split(/\s+/u).filter(Boolean);
  const language = words.some((word) => !number.test(word) && isSpanish(word)) ? "spanish" : "other";
  return words
    .map((word, index) =>
      number.test(word) ? word : properWord[index === 0 ? "first" : "next"][language](word),
    )
    .join(" ");
}

/** First word and the rest, for records that keep them apart. */
export function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [firstName = null, ...rest] = name.split(" ").filter(Boolean);
  return { firstName, lastName: rest.length > 0 ? rest.join(" ") : null };
}
