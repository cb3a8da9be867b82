import { ApiError } from "./api.ts";
import { errorMessages } from "./error-messages.ts";
import { currentLanguage, messagesOf } from "./i18n.ts";

/** Whether a request failed because the browser has no network. */
function isWithoutNetwork(error: unknown): boolean {
  return error instanceof TypeError && !navigator.onLine;
}

/**
 * The text of a failure for the user: in English the server's own message, in Spanish the text of its code where there is one.
 * `fallback` is the recorded default of the situation, for failures without a message.
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

/** The request id of a server failure, by which the log has it; null for refusals, which explain themselves. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError && error.status >= 500 ? (error.body?.requestId ?? null) : null;
}

/** The text of an error: the server's message, that there is no network, or else the recorded text. */
export function recordedText(error: unknown, recorded: string): string {
  return error instanceof ApiError || isWithoutNetwork(error) ? errorText(error, recorded) : recorded;
}

/** The recorded text of a failure with its reason: the server's refusal, or no network. A server failure is left out, as it is no help. */
export function recordedWithReason(error: unknown, recorded: string): string {
  const hasReason = error instanceof ApiError ? error.status < 500 : isWithoutNetwork(error);
  return hasReason ? `${recorded} ${errorText(error)}` : recorded;
}
