import { CrmScopeMissing, CrmWrongLocation } from "../../ports/crm.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

/** A response as received; no status throws. */
export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  data: unknown;
}

const provider = "gohighlevel";

function headerNumber(headers: Record<string, unknown>, name: string): number | null {
  const value = headers[name];
  if (value === undefined || value === null || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/**
 * Seconds to wait after a 429: the `Retry-After` header; else the time until the daily limit resets if it is used up; else the burst
 * interval. Null if no header says. https://marketplace.gohighlevel.com/docs/oauth/Faqs (rate limits)
 */
function retryAfter(headers: Record<string, unknown>): number | null {
  const seconds = headerNumber(headers, "retry-after");
  if (seconds !== null) return Math.max(0, seconds);
  const date = Date.parse(String(headers["retry-after"] ?? ""));
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - Date.now()) / 1000));
  const reset = headerNumber(headers, "x-ratelimit-daily-reset");
  if (headerNumber(headers, "x-ratelimit-daily-remaining") === 0 && reset !== null) return reset / 1000;
  const interval = headerNumber(headers, "x-ratelimit-interval-milliseconds");
  return interval === null ? null : interval / 1000;
}

/** The vendor's longest limit is a day, in seconds. */
const longestSilence = 86_400;

/** Seconds for which no request may be sent after this response: after a 429, or after the day's last request. */
export function silenceSeconds({ status, headers }: Answer): number {
  if (status === 429) return Math.min(retryAfter(headers) ?? 0, longestSilence);
  if (headerNumber(headers, "x-ratelimit-daily-remaining") !== 0) return 0;
  const reset = headerNumber(headers, "x-ratelimit-daily-reset") ?? 0;
  return Math.min(Math.max(0, reset / 1000), longestSilence);
}

/** The vendor's error text, for the log. `message` is a text, or a list of texts for a 422. */
function words(data: unknown): string {
  if (typeof data !== "string") return "";
  try {
    const { message, error } = JSON.parse(data) as { message?: unknown; error?: unknown };
    return [message ?? error ?? ""].flat().join("; ").slice(0, 500);
  } catch {
    return data.slice(0, 200);
  }
}

/** Statuses of a timeout at a proxy in front of the vendor, including Cloudflare's 524. */
const tooSlow = new Set([408, 504, 524]);

/** The request timed out; a smaller page can be requested at once. */
export class TimeoutError extends ProviderError {}

/** The failure of a request that timed out. It may have taken effect. */
export function timeout(cause: unknown): TimeoutError {
  return new TimeoutError({
    provider,
    kind: "unavailable",
    message: "GoHighLevel did not answer in time.",
    ambiguous: true,
    cause,
  });
}

/** Whether the token itself is refused. A missing scope also gives 401, but a new token would lack it too. */
export function isKeyRefused({ status, data }: Answer): boolean {
  return status === 401 && !/scope/i.test(words(data));
}

/** Returns what a 401 or 403 refuses, by the vendor's text: the scope, the location, else the key. */
function refusal(status: number, said: string, cause: unknown): ProviderError {
  const common = { provider, kind: "auth", httpStatus: status, cause } as const;
  if (/\bscopes?\b/i.test(said))
    return new CrmScopeMissing({
      ...common,
      message: `GoHighLevel does not allow this to the key (${status}): a scope is missing.`,
    });
  if (status === 403 && /\blocation/i.test(said))
    return new CrmWrongLocation({
      ...common,
      message: "GoHighLevel does not know this location, or not by this key: see GHL_LOCATION_ID.",
    });
  const message =
    status === 401
      ? "GoHighLevel refused the key (401)."
      : "GoHighLevel does not allow this to the key (403).";
  return new ProviderError({ ...common, message });
}

/** Returns the failure for a response's status; null for a successful one. */
export function fault(answer: Answer): ProviderError | null {
  const { status, headers, data } = answer;
  if (status >= 200 && status < 300) return null;
  const said = words(data);
  const cause = new Error(`${status} ${said}`.trim());
  const failure = (kind: ProviderFailure, message: string, retryAfterSeconds: number | null = null) =>
    new ProviderError({ provider, kind, message, httpStatus: status, retryAfterSeconds, cause });
  if (status === 401 || status === 403) return refusal(status, said, cause);
  if (status === 429) return failure("rate-limited", "GoHighLevel is busy (429).", retryAfter(headers));
  // Some of the vendor's services respond to unknown ids with 400. Their body has no code, only this text.
  if (status === 404 || (status === 400 && /not found/i.test(said)))
    return failure("not-found", "GoHighLevel does not have this record.");
  if (tooSlow.has(status)) return timeout(cause);
  if (status >= 500) return failure("unavailable", `GoHighLevel failed (${status}).`);
  return failure("invalid", `GoHighLevel refused the request (${status}).`);
}

/** The response exceeds the size limit; a smaller page may fit. */
export class TooLargeError extends ProviderError {}

export function tooLarge(status: number): TooLargeError {
  return new TooLargeError({
    provider,
    kind: "unavailable",
    message: "GoHighLevel sent an answer that is too large to be read.",
    httpStatus: status,
  });
}

/** No usable response, for example a broken connection. The request may have taken effect. */
export function unreachable(error: unknown): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "GoHighLevel did not answer.",
    ambiguous: true,
    cause: new Error(error instanceof Error ? error.message : String(error)),
  });
}

/** The error while the circuit is open. No request was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "GoHighLevel is not answering at the moment. Please try again in a moment.",
    retryAfterSeconds,
  });
}
