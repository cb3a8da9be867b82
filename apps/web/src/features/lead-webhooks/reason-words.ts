import { currentLanguage, textOf } from "../../lib/i18n.ts";
import { reasonTexts } from "./texts.ts";

type Key = keyof typeof reasonTexts.pairs;

const keys = new Map(
  Object.entries(reasonTexts.pairs).map(([key, [english]]) => [english as string, key as Key]),
);

/** A reason of the server in the language of the page; one that is not known stays English, and is marked so. */
export function reasonWords(reason: string): { text: string; lang: "en" | undefined } {
  const key = keys.get(reason);
  if (key) return { text: textOf(reasonTexts)(key), lang: undefined };
  return { text: reason, lang: currentLanguage() === "en" ? undefined : "en" };
}
