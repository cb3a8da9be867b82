import { leadFieldOf } from "@portal/contract/lead-headers";
import { fetchCode } from "../../lib/connection.ts";
import { decodeAs, type Encoding, type SelectedEncoding } from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";

/** A possible encoding of a file, and how some of its words would read. */
export interface EncodingOption extends SelectedEncoding {
  words: string[];
}

const shownWords = 4;
/** In order of preference: of equally likely ones the first wins. */
const offered: Encoding[] = ["windows-1252", "macintosh", "cp850", "utf-8"];
const names = ["name", "firstName", "lastName", "company"];
const beyondAscii = /\P{ASCII}/u;

// TextDecoder supports the web's encodings only, not CP850. The library's decoder needs Node's buffers, so only its table is loaded.
const loadTables = () => import("iconv-lite/encodings/sbcs-data-generated.js");

/** Positions of cells with non-ASCII text, people's names first. */
function wordPlaces(text: string): { row: number; column: number }[] {
  const table = readCsv(text);
  if (!table) return [];
  const isName = table.columns.map((column) => names.includes(leadFieldOf(column) ?? ""));
  const places = table.rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => (beyondAscii.test(cell) ? [{ row, column }] : [])),
  );
  return places.sort((one, other) => Number(isName[other.column]) - Number(isName[one.column]));
}

/** Words with non-ASCII characters of a text that is not a table. */
const looseWords = (text: string) =>
  text.split(/[\r\n\t,;:|"[\]{}]+/).filter((word) => beyondAscii.test(word));

/** How likely the non-ASCII letters are in names in Spanish and neighbouring languages. */
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

/** The encodings that an excerpt may have, likeliest first, each with the same words decoded. Loads the table of CP850. */
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
