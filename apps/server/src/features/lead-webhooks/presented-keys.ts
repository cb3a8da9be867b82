/** Longer texts are no key of ours. */
const maxLength = 512;

const headerNames = ["x-webhook-secret", "x-api-key"];
const queryNames = ["key", "secret", "token"];

type Values = Record<string, unknown>;

function bearerOrBasic(authorization: unknown): string[] {
  if (typeof authorization !== "string") return [];
  const [scheme = "", value = ""] = authorization.split(/\s+(.*)/s);
  if (/^bearer$/i.test(scheme)) return [value.trim()];
  if (!/^basic$/i.test(scheme)) return [];
  // The password alone: Pipedrive asks for a user name, which is no secret.
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.includes(":") ? [pair.slice(pair.indexOf(":") + 1)] : [];
}

/**
 * The keys that a request holds out: header `X-Webhook-Secret` or `X-Api-Key`, `Authorization` as Bearer or as the password of Basic
 * (Pipedrive), or `?key=` for senders that can set no header (Salesforce's outbound messages).
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
