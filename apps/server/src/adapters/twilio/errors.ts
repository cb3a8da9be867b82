import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

const provider = "twilio";

/** Messages for the rep, by error code of a call (twilio.com/docs/api/errors). Twilio's own text only goes to the log. */
const refusals: Record<number, string> = {
  10004: "Too many calls are under way on this account. Try again when one has ended.",
  21205:
    "The telephony settings of the portal are not right: its public address is refused. Tell an administrator.",
  21210: "The shared system number may not make calls. Tell an administrator.",
  21211: "Your phone number is not a number that can be called. Check it in Settings.",
  21212: "The shared system number may not make calls. Tell an administrator.",
  21213: "The shared system number may not make calls. Tell an administrator.",
  21214: "Your phone number cannot be reached. Check it in Settings.",
  21215: "Calls to the country of your phone number are not enabled. Tell an administrator.",
  21216: "Calls to your phone number are blocked by the provider. Tell an administrator.",
  21217: "Your phone number is not a number that can be called. Check it in Settings.",
  21219: "Your phone number is not verified for this trial account. Tell an administrator.",
  21408: "Calls to the country of your phone number are not enabled. Tell an administrator.",
};

const texts = {
  auth: "The telephony provider did not accept the portal's keys. Tell an administrator.",
  busy: "The telephony provider is busy. Nothing was dialled: please try again in a moment.",
  refused: "The telephony provider refused the call. Tell an administrator if it happens again.",
  unreachable: "The telephony provider cannot be reached. Nothing was dialled: please try again in a moment.",
  silent: "The telephony provider did not answer.",
  notFound: "The telephony provider does not know this call.",
  numberMissing: "The telephony provider's account does not have the system number. Tell an administrator.",
};

/** Codes of connections that were not established: the request cannot have taken effect. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

interface Failure {
  status?: number;
  code?: number | string;
  headers?: Record<string, unknown>;
}

function byStatus(status: number): { kind: ProviderFailure; message: string; ambiguous: boolean } {
  if (status === 401 || status === 403) return { kind: "auth", message: texts.auth, ambiguous: false };
  if (status === 404) return { kind: "not-found", message: texts.notFound, ambiguous: false };
  // A 429 is never processed, so it may be repeated.
  if (status === 429) return { kind: "rate-limited", message: texts.busy, ambiguous: false };
  if (status >= 400 && status < 500) return { kind: "invalid", message: texts.refused, ambiguous: false };
  return { kind: "unavailable", message: texts.silent, ambiguous: true };
}

/** Converts an error of the SDK or the connection into a `ProviderError`. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { status, code } = (typeof error === "object" && error !== null ? error : {}) as Failure;
  if (typeof status === "number") {
    const providerCode = typeof code === "number" ? code : null;
    const said = byStatus(status);
    const message = (said.kind === "invalid" && providerCode && refusals[providerCode]) || said.message;
    return new ProviderError({ provider, ...said, message, providerCode, cause: error });
  }
  if (typeof code === "string" && neverSent.has(code)) {
    return new ProviderError({ provider, kind: "unavailable", message: texts.unreachable, cause: error });
  }
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: texts.silent,
    ambiguous: true,
    cause: error,
  });
}

/** The response is not as documented: a page, a truncated response, another structure. */
export function unreadableAnswer(cause: unknown): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.silent, ambiguous: true, cause });
}

/** The account does not have the system number, so it cannot be changed. */
export function numberMissing(): ProviderError {
  return new ProviderError({ provider, kind: "not-found", message: texts.numberMissing });
}

/** The error while the circuit is open. No request was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.unreachable, retryAfterSeconds });
}
