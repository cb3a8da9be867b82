import { createHash } from "node:crypto";

/** An error of the token and revocation endpoints (RFC 6749 §5.2). */
export class OAuthError extends Error {
  readonly statusCode: number;
  readonly body: Record<string, unknown>;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.statusCode = status;
    this.body = { error, error_description: description };
  }
}

/** Whether a redirect address is on this machine or the portal's; others are refused. */
export function isRegistered(address: string, portalUrl: string | null): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin, hostname } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return false;
  const own = portalUrl !== null && URL.canParse(portalUrl) && new URL(portalUrl).origin === origin;
  return own || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** Checks a code's verifier against its challenge (RFC 7636 §4.6). Errors: `OAuthError`. */
export function checkVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) return;
  if (!verifier) throw new OAuthError("invalid_grant", "Missing code verifier.");
  if (createHash("sha256").update(verifier).digest("base64url") !== challenge)
    throw new OAuthError("invalid_grant", "Invalid code verifier.");
}
