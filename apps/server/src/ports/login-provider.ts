import type { LoginError } from "@portal/contract/routes/auth";

/** What only the browser that began a sign-in may know of it. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who the provider says it is. Issuer and subject together name a person for good; an address may pass to another. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** The address, where the provider vouches that it is this person's; null otherwise. */
  verifiedEmail: string | null;
  /** The ID token, for signing out there. */
  idToken: string;
}

/** An external login provider (OpenID Connect). */
export interface LoginProvider {
  issuer: string;
  /** What people call it. */
  name: string;
  /** Where people change their password there; null where nobody said. */
  passwordPage: string | null;
  /** Where the browser goes to sign in, and what to check its return by. Errors: `LoginFailure`. */
  begin(): Promise<{ url: string; secrets: LoginSecrets }>;
  /** Takes the browser's return: `query` of the callback's address, with its question mark. Errors: `LoginFailure`. */
  finish(query: string, secrets: LoginSecrets): Promise<ProviderIdentity>;
  /** Where the browser goes to sign out there; null where the provider has no such page. Errors: `LoginFailure`. */
  signOutUrl(idToken: string): Promise<string | null>;
}

/** A sign-in that did not come about; `code` is for the person, `cause` for the log. */
export class LoginFailure extends Error {
  readonly code: LoginError;

  constructor(code: LoginError, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
