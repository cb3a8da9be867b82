import { ApiError } from "./api.ts";
import { errorMessages } from "./error-messages.ts";
import { currentLanguage, messagesOf } from "./i18n.ts";

/** Whether a request failed because the browser has no network. */
function isWithoutNetwork(error: unknown): boolean {
  return error instanceof TypeError && !navigator.onLine;
}

/**
 * The text of an error for the user: in English the server's message, in Spanish the translation of its code. `fallback` is the recorded
 * text for errors without a message.
 */
export function errorText(error: unknown, fallback?: string): string {
  const t = messagesOf(errorMessages);
  if (isWithoutNetwork(error)) return t("noNetwork");
  if (!(error instanceof ApiError))
    return error instanceof TypeError ? t("unreachable") : (fallback ?? t("unreachable"));
  if (currentLanguage() === "es" && error.code !== undefined) {
    const seconds = error.body?.retryAfterSeconds;
    if (error.status === 429 && seconds !== undefined) {
      return t("waitMinutes", { count: Math.max(1, Math.ceil(seconds / 60)) });
    }
    if (error.code in errorMessages.pairs) return t(error.code as "invalid");
  }
  return error.text || (fallback ?? t("unreachable"));
}

/** The request id of a server failure, which identifies it in the log; null for refusals, which explain themselves. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError && error.status >= 500 ? (error.body?.requestId ?? null) : null;
}

/** The server's message, or that there is no network; for other errors the recorded text. */
export function recordedText(error: unknown, recorded: string): string {
  return error instanceof ApiError || isWithoutNetwork(error) ? errorText(error, recorded) : recorded;
}

/**
 * The recorded text with the reason: the server's refusal, or no network. Server failures add no reason, as their text does not help the
 * user.
 */
export function recordedWithReason(error: unknown, recorded: string): string {
  const hasReason = error instanceof ApiError ? error.status < 500 : isWithoutNetwork(error);
  return hasReason ? `${recorded} ${errorText(error)}` : recorded;
}
