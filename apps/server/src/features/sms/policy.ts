import { type Language, languages } from "@portal/contract/entities/user";
import type { ContactRefusal } from "@portal/contract/errors";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";
import type { AppError } from "../../platform/http/app-error.ts";

/** How many of a lead's latest SMS, and how many of their characters, are examined: recent ones say more about the language. */
const lookedAt = { texts: 3, characters: 1_000 };

/**
 * Detects English or Spanish; null if the text says too little ("ok", "Hola", a number) or is ambiguous. The detector is loaded with the
 * first SMS, as it is the largest module of the server.
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
 * Guesses a lead's language from their latest SMS. If they say nothing the earlier guess stays; a confirmed language is a separate field.
 * The caller's event makes browsers read the lead again.
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

/** A per-minute limit that is used up is waited for; a daily one is not. */
const longestWaitMs = 5 * 60_000;
/** How long an unreachable provider is retried. */
const retryWindowMs = 3_600_000;

/**
 * What happens to an SMS that a job sends: it is retried later (`isAnew` as a new message, if the first was certainly not sent), or it is
 * left out.
 */
export type SmsFate =
  | { leftOut: ContactRefusal | "not_yours" | "not_sent" }
  | { waitMs: number; isAnew: boolean };

/** Decides after a refusal of an SMS that was due at `since`. `againMs` is the delay while the provider cannot be reached. */
export function decideFate(
  { code, extras }: AppError,
  { since, againMs }: { since: Date; againMs: number },
): SmsFate {
  if (code === "provider_unavailable" && Date.now() - since.getTime() < retryWindowMs)
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

/** Meaning of an SMS that consists of a single keyword. */
export type Keyword = "stop" | "start" | "help";

/** Twilio's keywords first, then Spanish ones. */
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

/** Words that the provider treats as START or HELP, and that people also use as an answer. */
const answers: ReadonlySet<string> = new Set(["yes", "si", "info"]);

function fold(body: string): string {
  return body
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .trim();
}

/**
 * The keyword of an SMS, or null. Only single words count; case and accents are ignored. Punctuation is ignored for STOP, so that no
 * opt-out is missed, but not for START.
 */
export function parseKeyword(body: string): Keyword | null {
  const word = fold(body);
  if (words.stop.has(word.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, ""))) return "stop";
  if (word === "help") return "help";
  return words.start.has(word) ? "start" : null;
}

/** Whether an SMS needs no answer, because the provider answers keywords. "Yes" and "Sí" count only if they lift a stop, "Info" never. */
export function isKeywordOnly(
  text: { body: string; keyword: Keyword | null },
  { wasStopped }: { wasStopped: boolean },
): boolean {
  const { body, keyword } = text;
  if (keyword === null) return false;
  return !answers.has(fold(body)) || (keyword === "start" && wasStopped);
}
