import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";

/** A request as received, for the signatures that cover it. */
export interface SignedRequest {
  method: string;
  /** The full public address, with its query. */
  url: string;
  body: Buffer;
  header(name: string): string | undefined;
}

/** Maximum difference between a signed request's timestamp and now (HubSpot, Validating requests). */
const windowMs = 5 * 60_000;

/** Compares in constant time; only the lengths may leak. */
function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Whether one of the texts is the secret with this hash (SHA-256, hexadecimal). */
export function fitsHash(presented: string[], known: string): boolean {
  return presented.filter((text) => same(hashKey(text), known)).length > 0;
}

/** SHA-256 of a key. Keys are 32 random bytes, so a slow hash is not needed. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

/** Characters that HubSpot decodes in the URL before signing. The `?` before the query is unchanged. */
const decoded: Record<string, string> = {
  "%3A": ":",
  "%2F": "/",
  "%3F": "?",
  "%40": "@",
  "%21": "!",
  "%24": "$",
  "%27": "'",
  "%28": "(",
  "%29": ")",
  "%2A": "*",
  "%2C": ",",
  "%3B": ";",
};

function hubspotUrl(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (code) => decoded[code.toUpperCase()] ?? code);
}

/**
 * Verifies HubSpot's signature: v3 if the request has one, with a timestamp at most 5 minutes off; else v2 or v1, which have no timestamp
 * (developers.hubspot.com, Validating requests).
 */
export function isHubspotSigned(request: SignedRequest, secret: string, now = Date.now()): boolean {
  const { method, url, body } = request;
  const v3 = request.header("x-hubspot-signature-v3");
  if (v3 !== undefined) {
    const timestamp = request.header("x-hubspot-request-timestamp") ?? "";
    if (!/^\d{13}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > windowMs) return false;
    const expected = createHmac("sha256", secret)
      .update(method + hubspotUrl(url))
      .update(body)
      .update(timestamp)
      .digest("base64");
    return same(v3, expected);
  }
  const signature = request.header("x-hubspot-signature");
  if (signature === undefined) return false;
  const version = request.header("x-hubspot-signature-version");
  const covered = createHash("sha256").update(secret);
  if (version === "v2") covered.update(method + url);
  else if (version !== "v1") return false;
  return same(signature, covered.update(body).digest("hex"));
}

/** Headers of a plain signature: HMAC-SHA256 of the raw body, hexadecimal or base64, with or without the prefix `sha256=`. */
const plainHeaders = ["x-webhook-signature", "x-signature", "x-hub-signature-256"];

/** Whether a request has a signature, which can only be verified with its body. */
export function carriesSignature({ header }: Pick<SignedRequest, "header">): boolean {
  return [...plainHeaders, "x-hubspot-signature-v3", "x-hubspot-signature"].some((name) => header(name));
}

/** Whether the body is signed with one of the keys. */
export function isBodySigned({ body, header }: SignedRequest, keys: string[]): boolean {
  const presented = plainHeaders
    .map((name) =>
      header(name)
        ?.replace(/^sha256=/i, "")
        .trim(),
    )
    .filter((text) => text !== undefined);
  return keys.some((key) => {
    const digest = createHmac("sha256", key).update(body).digest();
    const forms = [digest.toString("hex"), digest.toString("base64")];
    return presented.some((text) =>
      forms.some((form) => same(/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : text, form)),
    );
  });
}

/** The portal's keys are shorter. */
const maxLength = 512;

const headerNames = ["x-webhook-secret", "x-api-key"];
const queryNames = ["key", "secret", "token"];

type Values = Record<string, unknown>;

function bearerOrBasic(authorization: unknown): string[] {
  if (typeof authorization !== "string") return [];
  const [scheme = "", value = ""] = authorization.split(/\s+(.*)/s);
  if (/^bearer$/i.test(scheme)) return [value.trim()];
  if (!/^basic$/i.test(scheme)) return [];
  // Only the password: Pipedrive asks for a user name, which is not secret.
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.includes(":") ? [pair.slice(pair.indexOf(":") + 1)] : [];
}

/**
 * Returns the keys in a request: header `X-Webhook-Secret` or `X-Api-Key`, `Authorization` as Bearer or as the password of Basic
 * (Pipedrive), or `?key=` for senders that cannot set headers (Salesforce's outbound messages).
 */
export function presentedKeys({ headers, query }: { headers: Values; query: unknown }): string[] {
  const values = (typeof query === "object" && query !== null ? query : {}) as Values;
  const found = [
    ...headerNames.map((name) => headers[name]),
    ...bearerOrBasic(headers.authorization),
    ...queryNames.map((name) => values[name]),
  ];
  return found.filter(
    (text): text is string => typeof text === "string" && text !== "" && text.length <= maxLength,
  );
}
