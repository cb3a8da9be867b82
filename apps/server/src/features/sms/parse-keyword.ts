/** What a text asks for by a single word of its own. */
export type Keyword = "stop" | "start";

/** Twilio's own words first, then the Spanish ones. */
const words: Record<Keyword, ReadonlySet<string>> = {
  stop: new Set([
    "stop",
    "stopall",
    "unsubscribe",
    "cancel",
    "end",
    "quit",
    "revoke",
    "optout",
    "alto",
    "parar",
    "baja",
    "cancelar",
  ]),
  start: new Set(["start", "yes", "unstop", "alta", "iniciar", "si"]),
};

function fold(body: string): string {
  return body
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .trim();
}

/**
 * The keyword that a text is, or null: one word only; case and accents make no difference. Punctuation around it is no reason to
 * go on writing to somebody, but it is one not to begin again.
 */
export function parseKeyword(body: string): Keyword | null {
  const word = fold(body);
  if (words.stop.has(word.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ""))) return "stop";
  return words.start.has(word) ? "start" : null;
}
