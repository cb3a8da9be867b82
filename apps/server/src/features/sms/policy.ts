import { type Language, languages } from "@portal/contract/entities/user";
import type { ContactRefusal } from "@portal/contract/errors";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";
import type { AppError } from "../../platform/http/app-error.ts";

/** So many of a lead's latest texts are looked at, and so much of them: what somebody writes now says more than what they wrote once. */
const lookedAt = { texts: 3, characters: 1_000 };

/**
 * The language that words look like, English or Spanish; null where they say too little ("ok", "Hola", a number) or are of both. The detector
 * comes with the first text: it is larger than anything else that the server holds.
 */
export async function detectLanguage(words: string): Promise<Language | null> {
  const { detectAll } = await import("tinyld");
  const [best, second] = detectAll(words, { only: [...languages] });
  if (!best || (second && best.accuracy < 2 * second.accuracy)) return null;
  return languages.find((language) => language === best.lang) ?? null;
}

async function latestWords(db: Db, leadId: number): Promise<string> {
  const rows = await query<{ body: string }>(
    db,
    sql`select left(body, ${lookedAt.characters}) as body from messages where lead_id = ${leadId} and direction = 'inbound'
     order by created_at desc, id desc limit ${lookedAt.texts}`,
  );
  const words = rows.map(({ body }) => body).join("\n");
  return words.slice(0, lookedAt.characters);
}

/**
 * Guesses a lead's language from their latest texts, after one came in. Texts that say nothing leave the guess of before; what a person
 * confirmed is a field of its own and stays. Whoever publishes the text has the lead read again.
 */
export async function guessLanguage(tx: Tx, leadId: number): Promise<void> {
  const guess = await detectLanguage(await latestWords(tx, leadId));
  if (!guess) return;
  await execute(
    tx,
    sql`update leads set language_guess = ${guess}, updated_at = clock_timestamp()
     where id = ${leadId} and language_guess is distinct from ${guess}`,
  );
}

/** A consultant's full minute is waited for; a full day is not. */
const longestWaitMs = 5 * 60_000;
/** A provider that is out of reach is asked again for so long. */
const patienceMs = 3_600_000;

/** What becomes of a text that nobody waits for: it goes again in a while, as a new one where it surely was not sent, or it does not go. */
export type SmsFate =
  | { leftOut: ContactRefusal | "not_yours" | "not_sent" }
  | { waitMs: number; isAnew: boolean };

/** What a refusal of a text means that was due at `since`; `againMs` is the wait for a provider that is out of reach. */
export function decideFate(
  { code, extras }: AppError,
  { since, againMs }: { since: Date; againMs: number },
): SmsFate {
  if (code === "provider_unavailable" && Date.now() - since.getTime() < patienceMs)
    return { waitMs: Math.max(againMs, (extras.retryAfterSeconds ?? 0) * 1_000), isAnew: true };
  if (extras.reason === "rep_cap" && extras.nextAllowedAt) {
    const waitMs = new Date(extras.nextAllowedAt).getTime() - Date.now();
    if (waitMs <= longestWaitMs) return { waitMs: Math.max(waitMs, 1_000), isAnew: false };
  }
  if (extras.reason) return { leftOut: extras.reason };
  if (code === "lead_without_phone") return { leftOut: "no_phone" };
  if (code === "lead_on_call") return { leftOut: "lead_on_call" };
  if (code === "not_your_lead") return { leftOut: "not_yours" };
  return { leftOut: "not_sent" };
}

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
