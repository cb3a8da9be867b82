import { createHash, createHmac } from "node:crypto";

/** Parameters of a webhook; a repeated key has several values. */
export type WebhookParams = Record<string, string | string[]>;

/**
 * The `X-Twilio-Signature` of a form-encoded webhook: HMAC-SHA1 with the account's auth token over the exact URL (without fragment),
 * followed by every parameter sorted by name; repeated values once each and sorted.
 * Source: twilio.com/docs/usage/webhooks/webhooks-security.
 */
export function signForm(authToken: string, url: string, params: WebhookParams): string {
  let text = withoutFragment(url);
  for (const name of Object.keys(params).sort()) {
    const values = [params[name] ?? ""].flat();
    for (const value of [...new Set(values)].sort()) text += name + value;
  }
  return hmac(authToken, text);
}

/** A JSON webhook: the hash of the raw body is in the URL as `bodySHA256`, the signature covers only the URL. */
export function signJson(
  authToken: string,
  url: string,
  rawBody: string,
): { url: string; signature: string } {
  const signed = new URL(withoutFragment(url));
  signed.searchParams.set("bodySHA256", createHash("sha256").update(rawBody).digest("hex"));
  return { url: signed.href, signature: hmac(authToken, signed.href) };
}

export function withoutFragment(url: string): string {
  return url.split("#", 1)[0] as string;
}

function hmac(authToken: string, text: string): string {
  return createHmac("sha1", authToken).update(text, "utf8").digest("base64");
}
