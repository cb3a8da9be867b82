import * as openid from "openid-client";
import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { LoginFailure, type LoginProvider } from "../../ports/login-provider.ts";
import { createCircuit } from "../resilience.ts";

export interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  passwordPage: string | null;
  /** Redirect URIs for signing in and signing out, as registered at the provider. */
  redirectUri: string;
  signedOutUri: string;
}

const scope = "openid email profile";
const timeoutSeconds = 8;
/** The provider's metadata is read again after this time. */
const metadataMs = 3_600_000;

/**
 * Authenticates the client by the header, which every provider must support (OpenID Connect Core §9), unless the provider lists only other
 * methods.
 */
function clientAuth(secret: string): openid.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const byHeader = methods.includes("client_secret_basic");
    return (byHeader ? openid.ClientSecretBasic : openid.ClientSecretPost)(secret)(server, ...rest);
  };
}

function vouchedEmail(claims: openid.IDToken | openid.UserInfoResponse): string | null {
  return typeof claims.email === "string" && claims.email_verified === true ? claims.email : null;
}

/**
 * An OpenID Connect provider through openid-client: authorization code with PKCE (S256), state and nonce. The response's `iss` and the ID
 * token's signature, issuer, audience, times and nonce are verified. No request is sent before the first sign-in.
 */
export function createOpenIdProvider(options: OpenIdOptions): LoginProvider {
  const { issuer, clientId, name, passwordPage } = options;
  let known: { config: openid.Configuration; until: number } | undefined;
  let asking: Promise<openid.Configuration> | undefined;
  const ask = createCircuit({
    provider: "openid",
    translate: (error) => (error instanceof LoginFailure ? error : toLoginFailure(error)),
    refuse: () =>
      new LoginFailure("provider_unavailable", "the login provider is not asked while it is down"),
    isDown: ({ code }) => code === "provider_unavailable",
  });

  async function discover(): Promise<openid.Configuration> {
    const execute = [openid.enableNonRepudiationChecks];
    // The environment schema refuses http in production.
    if (issuer.startsWith("http:")) execute.push(openid.allowInsecureRequests);
    const auth = clientAuth(options.clientSecret);
    const config = await openid
      .discovery(new URL(issuer), clientId, undefined, auth, { execute, timeout: timeoutSeconds })
      .catch((error: unknown) => {
        // If the provider does not respond, its previous metadata is still used.
        if (known) return known.config;
        throw error;
      });
    known = { config, until: performance.now() + metadataMs };
    return config;
  }

  async function configuration(): Promise<openid.Configuration> {
    if (known && known.until > performance.now()) return known.config;
    // Concurrent callers share one request, so that a provider that hangs does not get one from each visitor.
    asking ??= discover().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    issuer,
    name,
    passwordPage,
    begin: () =>
      ask(async () => {
        const config = await configuration();
        const secrets = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        };
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: options.redirectUri,
          scope,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: "S256",
        });
        return { url: url.href, secrets };
      }),
    finish: (query, { state, nonce, verifier }) =>
      ask(async () => {
        const config = await configuration();
        const answer = await openid.authorizationCodeGrant(config, new URL(query, options.redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = answer.claims();
        if (!claims || !answer.id_token) throw new LoginFailure("answer_invalid", "no id token came");
        // Most providers send the email address only there (OpenID Connect Core §5.4).
        const profile =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint
            ? await openid.fetchUserInfo(config, answer.access_token, claims.sub)
            : claims;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: vouchedEmail(profile),
          idToken: answer.id_token,
        };
      }),
    signOutUrl: (idToken) =>
      ask(async () => {
        const config = await configuration();
        if (!config.serverMetadata().end_session_endpoint) return null;
        const url = openid.buildEndSessionUrl(config, {
          id_token_hint: idToken,
          post_logout_redirect_uri: options.signedOutUri,
        });
        return url.href;
      }),
  };
}

/** Error codes of the provider that mean a temporary failure (RFC 6749 §4.1.2.1). */
const passing = new Set(["temporarily_unavailable", "server_error"]);
/** Codes of openid-client for a missing response. */
const unanswered = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT"]);

function isServerFault(error: ClientError): boolean {
  return error.cause instanceof Response && error.cause.status >= 500;
}

/** Converts a failure of openid-client into the error for the person who signs in. */
export function toLoginFailure(cause: unknown): LoginFailure {
  const failure = (code: LoginFailure["code"], message: string) => new LoginFailure(code, message, { cause });
  if (cause instanceof AuthorizationResponseError) {
    const code = passing.has(cause.error) ? "provider_unavailable" : "provider_refused";
    return failure(code, `the login provider answered ${cause.error}`);
  }
  if (cause instanceof ResponseBodyError) {
    if (cause.status >= 500)
      return failure("provider_unavailable", `the login provider answered ${cause.status}`);
    // With `invalid_grant` the code was used, too old, or from another browser. Every other error is about our registration at the
    // provider.
    const code = cause.error === "invalid_grant" ? "answer_invalid" : "provider_refused";
    return failure(code, `the login provider answered ${cause.error}`);
  }
  if (cause instanceof ClientError) {
    const away = unanswered.has(cause.code ?? "") || isServerFault(cause);
    return failure(away ? "provider_unavailable" : "answer_invalid", cause.message);
  }
  // fetch throws a TypeError for every network failure.
  if (cause instanceof TypeError)
    return failure("provider_unavailable", "the login provider was not reached");
  return failure("answer_invalid", "the login provider's answer is not valid");
}
