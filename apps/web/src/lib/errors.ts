import { ApiError } from "./api.ts";
import { errorTexts } from "./error-texts.ts";
import { currentLanguage, textOf } from "./i18n.ts";

/**
 * What to tell the user about a failure: in English the server's own words, in Spanish the text of its code where there is one.
 * `fallback` is the recorded default of the situation, for failures that carry no words.
 */
export function errorText(error: unknown, fallback?: string): string {
  if (!(error instanceof ApiError)) return fallback ?? textOf(errorTexts)("unreachable");
  if (currentLanguage() === "es" && error.code !== undefined && error.code in errorTexts.pairs) {
    return textOf(errorTexts)(error.code as "invalid");
  }
  return error.text || (fallback ?? textOf(errorTexts)("unreachable"));
}
