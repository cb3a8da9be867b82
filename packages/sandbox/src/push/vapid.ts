import { createPublicKey, verify } from "node:crypto";

const DAY_SECONDS = 86_400;

function jsonOf(part: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
  } catch {
    return {};
  }
}

function isSigned(data: string, signature: string, key: string): boolean {
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return false;
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  try {
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    return verify(
      "sha256",
      Buffer.from(data),
      { key: publicKey, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
  } catch {
    return false;
  }
}

/** The fault of a VAPID Authorization header (RFC 8292), with the status of the response; null if there is none. */
export function vapidFault(
  authorization: string | undefined,
  { audience, key }: { audience: string; key: string },
): { status: number; reason: string } | null {
  const [, token = "", sender = ""] = /^vapid t=([^,\s]+),\s*k=([^,\s]+)$/i.exec(authorization ?? "") ?? [];
  const [head, body, signature, ...rest] = token.split(".");
  if (!head || !body || !signature || rest.length > 0) return { status: 401, reason: "no VAPID token" };
  if (jsonOf(head).alg !== "ES256") return { status: 401, reason: "the token is not signed by ES256" };
  if (sender !== key) return { status: 403, reason: "the key is not the one that was subscribed with" };
  if (!isSigned(`${head}.${body}`, signature, sender))
    return { status: 403, reason: "the signature is another's" };
  const { aud, exp, sub } = jsonOf(body);
  const now = Date.now() / 1_000;
  if (aud !== audience) return { status: 403, reason: "aud is not this push service" };
  if (typeof exp !== "number" || exp <= now || exp > now + DAY_SECONDS)
    return { status: 403, reason: "exp is over, or more than 24 hours away" };
  if (typeof sub !== "string" || !/^(mailto:|https:)/.test(sub))
    return { status: 403, reason: "sub is no address of https or mailto" };
  return null;
}
