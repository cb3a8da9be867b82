import { LRUCache } from "lru-cache";
import type { LeadText } from "./lead-text.ts";

/** So many characters of JSON are kept: about 18,000 leads. */
const keptCharacters = 16_000_000;

/**
 * What was read of leads, by the versions of their rows. Nothing has to be told to forget: whoever asks says which version the database
 * holds now. A version is the transaction that wrote the row (`xmin`), as others see it once it is committed: another one has written any
 * other version. `server` is when the database was started: a restored one, or one that took over, may count its transactions anew.
 */
export interface LeadTextCache {
  /** The lead in this version, where it is known. */
  recall(server: string, id: string, version: string): LeadText | undefined;
  keep(server: string, id: string, version: string, text: LeadText): void;
}

export function createLeadTextCache(): LeadTextCache {
  const texts = new LRUCache<string, { version: string; text: LeadText }>({
    maxSize: keptCharacters,
    sizeCalculation: ({ text }) => text.json.length,
  });
  let of = "";
  const belongTo = (server: string) => {
    if (server === of) return;
    texts.clear();
    of = server;
  };
  return {
    recall(server, id, version) {
      belongTo(server);
      const known = texts.get(id);
      return known?.version === version ? known.text : undefined;
    },
    keep(server, id, version, text) {
      belongTo(server);
      texts.set(id, { version, text });
    },
  };
}
