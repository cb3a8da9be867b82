import * as openid from "openid-client";
import { LoginFailure, type LoginProvider } from "../../ports/login-provider.ts";
import { toLoginFailure } from "./errors.ts";

export interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  passwordPage: string | null;
  /** Where the provider sends the browser back to after signing in and after signing out, as registered there. */
  redirectUri: string;
  signedOutUri: string;
}

const scope = "openid email profile";
const timeoutSeconds = 8;
/** What the provider publishes of itself is asked for anew after so long. */
const metadataMs = 3_600_000;

/** As the provider takes it: by header, which every provider must know (OpenID Connect Core §9), unless it names other ways only. */
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

async function orLoginFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LoginFailure ? error : toLoginFailure(error);
  }
}

/**
 * An OpenID Connect provider through openid-client: authorization code with PKCE (S256), state and nonce; the answer's `iss`, the id
 * token's signature, issuer, audience, times and nonce are checked. It is asked for nothing before the first sign-in.
 */
export function createOpenIdProvider(options: OpenIdOptions): LoginProvider {
  const { issuer, clientId, name, passwordPage } = options;
  let known: { config: openid.Configuration; until: number } | undefined;
  let asking: Promise<openid.Configuration> | undefined;

  async function discover(): Promise<openid.Configuration> {
    const execute = [openid.enableNonRepudiationChecks];
    // The environment refuses http in production.
    if (issuer.startsWith("http:")) execute.push(openid.allowInsecureRequests);
    const auth = clientAuth(options.clientSecret);
    const config = await openid
      .discovery(new URL(issuer), clientId, undefined, auth, { execute, timeout: timeoutSeconds })
      .catch((error: unknown) => {
        // What it published before still helps while it does not answer this.
        if (known) return known.config;
        throw error;
      });
    known = { config, until: Date.now() + metadataMs };
    return config;
  }

  async function configuration(): Promise<openid.Configuration> {
    if (known && known.until > Date.now()) return known.config;
    // All who wait share one question: a provider that hangs is not asked by each visitor.
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
      orLoginFailure(async () => {
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
      orLoginFailure(async () => {
        const config = await configuration();
        const answer = await openid.authorizationCodeGrant(config, new URL(query, options.redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = answer.claims();
        if (!claims || !answer.id_token) throw new LoginFailure("answer_invalid", "no id token came");
        // Most providers tell the address only there (OpenID Connect Core §5.4).
        const told =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint
            ? await openid.fetchUserInfo(config, answer.access_token, claims.sub)
            : claims;
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: vouchedEmail(told),
          idToken: answer.id_token,
        };
      }),
    signOutUrl: (idToken) =>
      orLoginFailure(async () => {
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
