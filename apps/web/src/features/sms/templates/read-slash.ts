/** A word after a slash at the caret, by which a template is looked for. */
export interface Slash {
  /** Where the slash stands. */
  start: number;
  /** Where the word ends: the caret. */
  end: number;
  word: string;
}

/** A slash begins a word, so that '24/7' and an address are none. */
export function readSlash(text: string, caret: number): Slash | null {
  const found = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret));
  const word = found?.[1];
  return word === undefined ? null : { start: caret - word.length - 1, end: caret, word };
}

const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether a template is meant by a word: by any part of its name, capitals and accents aside. */
export const isNamed = (name: string, word: string): boolean => folded(name).includes(folded(word));
