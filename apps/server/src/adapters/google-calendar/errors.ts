import type { SetupFault } from "@portal/contract/entities/meeting";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

const provider = "google-calendar";
/** Reasons of a 403 that pass. https://developers.google.com/workspace/calendar/api/guides/errors */
const passing = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);
/** The portal's own keys are wrong at the token endpoint: nobody's consent is gone, and once they are fixed all goes on (RFC 6749 §5.2). */
const refusedClient = new Set(["invalid_client", "unauthorized_client"]);
const refusedConsent = new Set(["insufficientPermissions", "authError", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);

/** 403s that say nothing of the request: something has to be switched on first. `SERVICE_DISABLED` is their newer word for the first. */
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

/** What Google answered instead of success; null where no answer came. Works on the errors of both Google libraries. */
export function refusalOf(error: unknown): Refusal | null {
  // The headers are those of the fetch that the libraries bring, which are no instance of Node's own class.
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
  // The token endpoint answers {error, error_description}, the API {error: {errors: [{reason}], message}}.
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
  // 412: somebody changed the event between our reading and our writing.
  if (status >= 500 || status === 408 || status === 412) return ["unavailable", `Google failed (${status}).`];
  if (status === 403) return ["invalid", "Google does not allow this change (403)."];
  return ["invalid", `Google refused the meeting (${status}).`];
}

/** Turns what the Google libraries throw into a `ProviderError`; Google's own words go to the log. */
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

/** While the circuit is open: nothing was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "Google is not answering at the moment. It will be tried again.",
    retryAfterSeconds,
  });
}
