import type { SetupFault } from "@portal/contract/entities/meeting";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

const provider = "google-calendar";
/** Reasons of a temporary 403. https://developers.google.com/workspace/calendar/api/guides/errors */
const passing = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);
/**
 * The token endpoint refuses the portal's own keys. No consent is lost; requests succeed again when the keys are corrected (RFC 6749 §5.2).
 */
const refusedClient = new Set(["invalid_client", "unauthorized_client"]);
const refusedConsent = new Set(["insufficientPermissions", "authError", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);

/**
 * Reasons of a 403 that is not about the request: a setting must be changed first. `SERVICE_DISABLED` is the newer name of
 * `accessNotConfigured`.
 */
const setupReasons: Record<string, SetupFault> = {
  accessNotConfigured: "api_off",
  SERVICE_DISABLED: "api_off",
  domainPolicy: "domain_policy",
};
const setupWords: Record<SetupFault, string> = {
  api_off:
    "Google's Calendar API is not switched on for this portal. Administrators know; nothing is lost, it is tried again by itself.",
  domain_policy:
    "The Google Workspace of this calendar lets no other apps in. Administrators know; nothing is lost, it is tried again by itself.",
};

interface Refusal {
  status: number;
  reason: string;
  words: string;
  retryAfterSeconds: number | null;
}

/** Returns Google's error response; null if there was no response. Works with the errors of both Google libraries. */
export function refusalOf(error: unknown): Refusal | null {
  // The libraries bring their own fetch, whose headers are not instances of Node's class.
  type Headers = { get?: (name: string) => string | null };
  const { response } = (error ?? {}) as {
    response?: { status?: number; data?: unknown; headers?: Headers };
  };
  if (!response?.status) return null;
  const data = (typeof response.data === "object" && response.data !== null ? response.data : {}) as {
    error?: unknown;
    error_description?: unknown;
  };
  const retryAfter = Number(response.headers?.get?.("retry-after") ?? 0);
  const common = { status: response.status, retryAfterSeconds: retryAfter > 0 ? retryAfter : null };
  // The token endpoint responds with {error, error_description}, the API with {error: {errors: [{reason}], message}}.
  if (typeof data.error === "string")
    return { ...common, reason: data.error, words: String(data.error_description ?? "") };
  const { errors, details, message } = (data.error ?? {}) as {
    errors?: { reason?: string }[];
    details?: { reason?: string }[];
    message?: string;
  };
  const reason = [...(errors ?? []), ...(details ?? [])].find((each) => each.reason)?.reason ?? "";
  return { ...common, reason, words: message ?? "" };
}

function judge({ status, reason }: Refusal): [ProviderFailure, string] {
  if (refusedClient.has(reason)) return ["unavailable", "Google does not accept the portal's keys."];
  if (reason === "invalid_grant" || status === 401 || (status === 403 && refusedConsent.has(reason)))
    return ["auth", "Google no longer accepts the connection. Connect again."];
  if (status === 429 || (status === 403 && passing.has(reason)))
    return ["rate-limited", "Google is busy. It will be tried again."];
  if (status === 404 || status === 410) return ["not-found", "Google does not have this event."];
  // 412: the event was changed between our read and our write.
  if (status >= 500 || status === 408 || status === 412) return ["unavailable", `Google failed (${status}).`];
  if (status === 403) return ["invalid", "Google does not allow this change (403)."];
  return ["invalid", `Google refused the meeting (${status}).`];
}

/** Converts an error of the Google libraries into a `ProviderError`. Google's own text goes to the log. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const refusal = refusalOf(error);
  if (!refusal)
    return new ProviderError({
      provider,
      kind: "unavailable",
      message: "Google did not answer.",
      ambiguous: true,
      cause: new Error(error instanceof Error ? error.message : String(error)),
    });
  const setup = refusal.status === 403 ? (setupReasons[refusal.reason] ?? null) : null;
  const [kind, message] = setup ? (["unavailable", setupWords[setup]] as const) : judge(refusal);
  return new ProviderError({
    provider,
    kind,
    message,
    retryAfterSeconds: refusal.retryAfterSeconds,
    setup,
    cause: new Error(`${refusal.status} ${refusal.reason} ${refusal.words}`.trim()),
  });
}

/** The error while the circuit is open. No request was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "Google is not answering at the moment. It will be tried again.",
    retryAfterSeconds,
  });
}
