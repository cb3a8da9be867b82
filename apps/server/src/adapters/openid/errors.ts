import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { LoginFailure } from "../../ports/login-provider.ts";

/** Answers of the provider that mean "not now" (RFC 6749 §4.1.2.1). */
const passing = new Set(["temporarily_unavailable", "server_error"]);
/** Codes of openid-client for an answer that did not come, or not from the provider but from a proxy before it. */
const unanswered = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT"]);

function isServerFault(error: ClientError): boolean {
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** What a failure of openid-client means to the person who wants to sign in. */
export function toLoginFailure(cause: unknown): LoginFailure {
  const failure = (code: LoginFailure["code"], message: string) => new LoginFailure(code, message, { cause });
  if (cause instanceof AuthorizationResponseError) {
    const code = passing.has(cause.error) ? "provider_unavailable" : "provider_refused";
    return failure(code, `the login provider answered ${cause.error}`);
  }
  if (cause instanceof ResponseBodyError) {
    if (cause.status >= 500)
      return failure("provider_unavailable", `the login provider answered ${cause.status}`);
    // The code was used, too old, or begun by another browser; all else is our own registration there.
    const code = cause.error === "invalid_grant" ? "answer_invalid" : "provider_refused";
    return failure(code, `the login provider answered ${cause.error}`);
  }
  if (cause instanceof ClientError) {
    const away = unanswered.has(cause.code ?? "") || isServerFault(cause);
    return failure(away ? "provider_unavailable" : "answer_invalid", cause.message);
  }
  // fetch tells every failure of the network as a TypeError.
  if (cause instanceof TypeError)
    return failure("provider_unavailable", "the login provider was not reached");
  return failure("answer_invalid", "the login provider's answer is not valid");
}
