import { leadFieldOf } from "@portal/contract/lead-headers";
import { fetchCode } from "../../lib/connection.ts";
import { decodeAs, type Encoding, type SelectedEncoding } from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";

/** An encoding that a file may be in, and how some of its words would read. */
export interface EncodingOption extends SelectedEncoding {
  words: string[];
}

const shownWords = 4;
/** Asked for in this order; the first of those that read equally well is the likeliest. */
const offered: Encoding[] = ["windows-1252", "macintosh", "cp850", "utf-8"];
const names = ["name", "firstName", "lastName", "company"];
const beyondAscii = /\P{ASCII}/u;

// TextDecoder knows what the web uses, not what DOS did. The library's own decoder wants Node's buffers; its table is all that is needed.
const loadTables = () => import("iconv-lite/encodings/sbcs-data-generated.js");

/** Where the words beyond ASCII stand, people's names first. */
function wordPlaces(text: string): { row: number; column: number }[] {
  const table = readCsv(text);
  if (!table) return [];
  const isName = table.columns.map((column) => names.includes(leadFieldOf(column) ?? ""));
  const places = table.rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => (beyondAscii.test(cell) ? [{ row, column }] : [])),
  );
  return places.sort((one, other) => Number(isName[other.column]) - Number(isName[one.column]));
}

/** The words of a text that is no table: whatever stands between its signs. */
const looseWords = (text: string) =>
  text.split(/[\r\n\t,;:|"[\]{}]+/).filter((word) => beyondAscii.test(word));

/** How much letters beyond ASCII look like those of names in Spanish and its neighbours. */
function likelihood(words: string[]): number {
  let sum = 0;
  const signs = [...words.join(" ")];
  for (const [index, sign] of signs.entries()) {
    if (!beyondAscii.test(sign)) continue;
    const before = signs[index - 1] ?? "";
    if (/[áéíóúñü]/.test(sign)) sum += 3;
    else if (/[ÁÉÍÓÚÑÜ]/.test(sign)) sum += /\p{Ll}/u.test(before) ? -2 : 3;
    else if (/\p{Ll}/u.test(sign)) sum += 1;
    else if (/\p{Lu}/u.test(sign)) sum += /\p{Ll}/u.test(before) ? -2 : 1;
    else sum -= /\p{L}/u.test(before) ? 2 : 1;
  }
  return sum / Math.max(words.length, 1);
}

/**
 * The encodings that an excerpt may be in, the likeliest first, each with how the same words would read. The table of CP850 is fetched
 * for it.
 */
export async function encodingOptions(excerpt: Uint8Array): Promise<EncodingOption[]> {
  const { default: tables } = await fetchCode(loadTables);
  const places = wordPlaces(decodeAs(excerpt, { encoding: "windows-1252" }));
  const options = offered.map((encoding) => {
    const chosen = encoding === "cp850" ? { encoding, upperHalf: tables.cp850.chars } : { encoding };
    const text = decodeAs(excerpt, chosen);
    const rows = places.length > 0 ? readCsv(text)?.rows : undefined;
    const words = rows ? places.map(({ row, column }) => rows[row]?.[column] ?? "") : looseWords(text);
    return { ...chosen, words };
  });
  const ranked = options.toSorted((one, other) => likelihood(other.words) - likelihood(one.words));
  return ranked.map((option) => ({ ...option, words: [...new Set(option.words)].slice(0, shownWords) }));
}
