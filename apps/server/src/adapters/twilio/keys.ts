import { validateRequest } from "twilio/lib/webhooks/webhooks.js";
import type { ProviderEnv } from "../../env.ts";

export type TwilioEnv = NonNullable<ProviderEnv["twilio"]>;

/** User and password of a REST request. */
export interface Login {
  user: string;
  password: string;
}

/** Accounts whose old token was refused and whose new one was accepted. */
const rotated = new WeakSet<TwilioEnv>();

function isRefused(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === 401;
}

/**
 * Runs a request with the account's keys: the API key if there is one, else the auth token. During a rotation of the token the other of the
 * two is tried if the first is refused. A refused request had no effect, so it may be repeated.
 */
export async function withLogin<T>(env: TwilioEnv, request: (login: Login) => Promise<T>): Promise<T> {
  const { accountSid, apiKeySid, apiKeySecret, authToken, nextAuthToken } = env;
  if (apiKeySid && apiKeySecret) return request({ user: apiKeySid, password: apiKeySecret });
  const tokens = nextAuthToken === null ? [authToken] : [authToken, nextAuthToken];
  if (rotated.has(env)) tokens.reverse();
  const [first = authToken, second] = tokens;
  try {
    return await request({ user: accountSid, password: first });
  } catch (error) {
    if (second === undefined || !isRefused(error)) throw error;
    const answer = await request({ user: accountSid, password: second });
    if (second === authToken) rotated.delete(env);
    else rotated.add(env);
    return answer;
  }
}

/** Whether the account signed this request, with its auth token or the next one. */
export function isSignedBy(
  { authToken, nextAuthToken }: TwilioEnv,
  { signature, url, params }: { signature: string; url: string; params: Record<string, string | string[]> },
): boolean {
  return [authToken, nextAuthToken].some(
    (token) => token !== null && validateRequest(token, signature, url, params),
  );
}
