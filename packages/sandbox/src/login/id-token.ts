import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { LOGIN_CLIENT_ID } from "../defaults.ts";
import type { LoginCode, TokenFault } from "./login-data.ts";
import type { Person } from "./people.ts";

export const KEY_ID = "first";
const VALID_SECONDS = 600;

/** Claims about a person, as the scope allows. */
export function claimsOf({ name, email, emailVerified }: Person, scope: string): Record<string, unknown> {
  const scopes = scope.split(" ");
  return {
    ...(scopes.includes("profile") && { name }),
    ...(scopes.includes("email") && { email, email_verified: emailVerified }),
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function faultyClaims(fault: TokenFault | undefined, now: number): Record<string, unknown> {
  switch (fault) {
    case "nonce":
      return { nonce: "a-nonce-of-another-sign-in" };
    case "audience":
      return { aud: "another-client" };
    case "issuer":
      return { iss: "https://another-issuer.example.com" };
    case "expired":
      return { iat: now - 2 * VALID_SECONDS, exp: now - VALID_SECONDS };
    case "unverified":
      return { email_verified: false };
    default:
      return {};
  }
}

/** An ID token (OpenID Connect Core §2), valid except for the requested fault. */
export function idToken(input: {
  issuer: string;
  person: Person;
  code: LoginCode;
  key: JsonWebKey;
  fault: TokenFault | undefined;
}): string {
  const { issuer, person, code, fault } = input;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: LOGIN_CLIENT_ID,
    sub: person.sub,
    iat: now,
    exp: now + VALID_SECONDS,
    ...(code.nonce !== null && { nonce: code.nonce }),
    ...claimsOf(person, code.scope),
    ...faultyClaims(fault, now),
  };
  if (fault === "alg-none") return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
  const signed = `${part({ alg: "RS256", typ: "JWT", kid: KEY_ID })}.${part(claims)}`;
  const key =
    fault === "signature"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
      : createPrivateKey({ key: input.key, format: "jwk" });
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

/** The client of one of our ID tokens, of any age; not verified, because it is only a hint. */
export function clientOfHint(token: string | undefined): string | null {
  try {
    const claims = JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()) as {
      aud?: unknown;
    };
    return typeof claims.aud === "string" ? claims.aud : null;
  } catch {
    return null;
  }
}
