import type { LoginError } from "@portal/contract/routes/auth";

/** Secrets of a sign-in that only the browser which began it holds. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * The person as the provider identifies them. Issuer and subject identify a person permanently; an email address may pass to another
 * person.
 */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** The email address if the provider says that it is verified, else null. */
  verifiedEmail: string | null;
  /** The ID token, needed to sign out at the provider. */
  idToken: string;
}

/** An external login provider (OpenID Connect). */
export interface LoginProvider {
  issuer: string;
  /** Display name. */
  name: string;
  /** Page on which people change their password at the provider; null if not configured. */
  passwordPage: string | null;
  /** Returns the URL of the sign-in page, and the secrets to verify the return. Errors: `LoginFailure`. */
  begin(): Promise<{ url: string; secrets: LoginSecrets }>;
  /** Completes a sign-in. `query`: query string of the callback, with its question mark. Errors: `LoginFailure`. */
  finish(query: string, secrets: LoginSecrets): Promise<ProviderIdentity>;
  /** Returns the URL of the provider's sign-out page; null if it has none. Errors: `LoginFailure`. */
  signOutUrl(idToken: string): Promise<string | null>;
}

/** A failed sign-in. `code` is for the person, `cause` for the log. */
export class LoginFailure extends Error {
  readonly code: LoginError;

  constructor(code: LoginError, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
