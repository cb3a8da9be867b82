import { ApiError } from "./api.ts";
import { errorText } from "./errors.ts";

/** 'with message or …' of specification §8: the server's words, or the recorded text where no server spoke. */
export function recordedText(error: unknown, recorded: string): string {
  return error instanceof ApiError ? errorText(error, recorded) : recorded;
}

/** The recorded text of a failure, and behind it why the server refused; that it failed itself is no reason that helps. */
export function recordedWithReason(error: unknown, recorded: string): string {
  return error instanceof ApiError && error.status < 500 ? `${recorded} ${errorText(error)}` : recorded;
}
