import { type Language, languages } from "@portal/contract/entities/user";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";

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
