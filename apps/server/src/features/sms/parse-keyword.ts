/** What a text asks for by a single word of its own. */
export type Keyword = "stop" | "start" | "help";

/** Twilio's own words first, then the Spanish ones. */
const words: Record<Exclude<Keyword, "help">, ReadonlySet<string>> = {
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

/** Words that the provider takes for START or HELP, and that people also write as an answer. */
const answers: ReadonlySet<string> = new Set(["yes", "si", "info"]);

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
  if (word === "help") return "help";
  return words.start.has(word) ? "start" : null;
}

/**
 * Whether a text asks nobody for an answer: the provider answers a keyword by itself. "Yes" and "Sí" are one only where they lift a stop, "Info" never.
 */
export function isKeywordOnly(
  text: { body: string; keyword: Keyword | null },
  { wasStopped }: { wasStopped: boolean },
): boolean {
  const { body, keyword } = text;
  if (keyword === null) return false;
  return !answers.has(fold(body)) || (keyword === "start" && wasStopped);
}
