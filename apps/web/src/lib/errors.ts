import { ApiError } from "./api.ts";
import { errorTexts } from "./error-texts.ts";
import { currentLanguage, textOf } from "./i18n.ts";

/**
 * What to tell the user about a failure: in English the server's own words, in Spanish the text of its code where there is one.
 * `fallback` is the recorded default of the situation, for failures that carry no words.
 */
export function errorText(error: unknown, fallback?: string): string {
  const t = textOf(errorTexts);
  if (!(error instanceof ApiError))
    return error instanceof TypeError ? t("unreachable") : (fallback ?? t("unreachable"));
  if (currentLanguage() === "es" && error.code !== undefined) {
    const seconds = error.body?.retryAfterSeconds;
    if (error.status === 429 && seconds !== undefined) {
      return t("waitMinutes", { count: Math.max(1, Math.ceil(seconds / 60)) });
    }
    if (error.code in errorTexts.pairs) return t(error.code as "invalid");
  }
  return error.text || (fallback ?? t("unreachable"));
}
