import { LRUCache } from "lru-cache";
import type { LeadText } from "./lead-text.ts";

/** So many characters of JSON are kept: about 18,000 leads. */
const keptCharacters = 16_000_000;

/**
 * What was read of leads, by the versions of their rows. Nothing has to be told to forget: whoever asks says which version the database
 * holds now. A version is the transaction that wrote the row (`xmin`), as others see it once it is committed: another one has written any
 * other version. That holds for one `life` of the database: after a crash, or where another one took over, numbers of transactions that were
 * lost are given again.
 */
export interface LeadTextCache {
  /** The lead in this version, where it is known. */
  recall(life: string, id: string, version: string): LeadText | undefined;
  keep(life: string, id: string, version: string, text: LeadText): void;
}

export function createLeadTextCache(): LeadTextCache {
  const texts = new LRUCache<string, { version: string; text: LeadText }>({
    maxSize: keptCharacters,
    sizeCalculation: ({ text }) => text.json.length,
  });
  let current = "";
  const belongTo = (life: string) => {
    if (life === current) return;
    texts.clear();
    current = life;
  };
  return {
    recall(life, id, version) {
      belongTo(life);
      const known = texts.get(id);
      return known?.version === version ? known.text : undefined;
    },
    keep(life, id, version, text) {
      belongTo(life);
      texts.set(id, { version, text });
    },
  };
}
