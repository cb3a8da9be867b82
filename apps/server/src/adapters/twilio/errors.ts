import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

const provider = "twilio";

/** What a rep reads for the codes that calls meet (twilio.com/docs/api/errors); Twilio's own text never leaves the log. */
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

/** Faults of a connection that was never made: the request cannot have taken effect. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

interface Failure {
  status?: number;
  code?: number | string;
  headers?: Record<string, unknown>;
}

function byStatus(status: number): { kind: ProviderFailure; message: string; ambiguous: boolean } {
  if (status === 401 || status === 403) return { kind: "auth", message: texts.auth, ambiguous: false };
  if (status === 404) return { kind: "not-found", message: texts.notFound, ambiguous: false };
  // 429 is never processed, so that it may be tried again.
  if (status === 429) return { kind: "rate-limited", message: texts.busy, ambiguous: false };
  if (status >= 400 && status < 500) return { kind: "invalid", message: texts.refused, ambiguous: false };
  return { kind: "unavailable", message: texts.silent, ambiguous: true };
}

/** An error of the SDK or of the connection in the words of the port. */
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

/** An answer that is not what the provider's description promises: a page, half an answer, another shape. */
export function unreadableAnswer(cause: unknown): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.silent, ambiguous: true, cause });
}

/** The account does not have the system number: there is nothing to change. */
export function numberMissing(): ProviderError {
  return new ProviderError({ provider, kind: "not-found", message: texts.numberMissing });
}

/** While the circuit is open: nothing was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.unreachable, retryAfterSeconds });
}
