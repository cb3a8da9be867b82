/** A word after a slash at the caret, which searches templates. */
export interface Slash {
  /** Position of the slash. */
  start: number;
  /** End of the word: the caret. */
  end: number;
  word: string;
}

/** The slash must begin a word, unlike in '24/7' or an address. */
export function readSlash(text: string, caret: number): Slash | null {
  const found = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret));
  const word = found?.[1];
  return word === undefined ? null : { start: caret - word.length - 1, end: caret, word };
}

const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whether a template's name contains the word, ignoring case and accents. */
export const isNamed = (name: string, word: string): boolean => folded(name).includes(folded(word));
