import { ECDH } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import webPush, { type RequestDetails } from "web-push";
import type { PushEnv } from "../../env.ts";
import type { PushService, PushTarget } from "../../ports/notification-channels.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import { isInside, resolveOutside } from "../outside.ts";
import { type Circuit, createCircuit, isUnavailable } from "../resilience.ts";

const provider = "web-push";
const curve = "prime256v1";
const authBytes = 16;

const messages: Record<ProviderFailure, string> = {
  "not-found": "The browser's push service does not know this device any more.",
  invalid: "The browser's push service refused the notification.",
  auth: "The browser's push service does not accept the portal's key.",
  "rate-limited": "The browser's push service asks to wait.",
  unavailable: "The browser's push service does not answer.",
};

function kindOf(status: number): ProviderFailure {
  if (status === 404 || status === 410) return "not-found";
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate-limited";
  // Redirects are not followed, because only the first address was checked.
  return status < 500 && status !== 408 ? "invalid" : "unavailable";
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

/** The service's own text may contain the address, which is a secret, so only the status is kept. */
function toProviderError(error: unknown): ProviderError {
  const status = error instanceof Refusal ? error.status : null;
  const kind = status === null ? "unavailable" : kindOf(status);
  return new ProviderError({
    provider,
    kind,
    message: messages[kind],
    providerCode: status,
    ambiguous: status === null,
    cause: new Error(status === null ? ((error as { code?: string }).code ?? "no answer") : `${status}`),
  });
}

function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: messages.unavailable,
    retryAfterSeconds,
  });
}

/** Whether the keys can be used for encryption: a point on the curve and a secret of the right length. */
function hasKeys({ p256dh, auth }: PushTarget): boolean {
  if (Buffer.from(auth, "base64url").length !== authBytes) return false;
  try {
    ECDH.convertKey(Buffer.from(p256dh, "base64url"), curve);
    return true;
  } catch {
    return false;
  }
}

/** Sends one request without following redirects or reading the body. `timeoutMs` limits all of it. */
function post(
  { endpoint, headers, body }: RequestDetails,
  { isStandIn, timeoutMs }: { isStandIn: boolean; timeoutMs: number },
): Promise<void> {
  const url = new URL(endpoint);
  const request = isStandIn && url.protocol === "http:" ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        method: "POST",
        agent: false,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(!isStandIn && { lookup: resolveOutside }),
      },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.destroy();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Refusal(statusCode));
      },
    )
      .once("error", reject)
      .end(body);
  });
}

/**
 * Web push with the library's encryption and VAPID (RFC 8030, 8291, 8292). The address comes from a browser: it must be https at a listed
 * host, or the stand-in's, and the connection refuses hosts that resolve to private networks.
 */
export function createPushService({ hosts, standIn, subject }: PushEnv, timeoutMs = 10_000): PushService {
  const circuits = new Map<string, Circuit>();
  const circuitOf = (host: string) => {
    const known = circuits.get(host);
    if (known) return known;
    const circuit = createCircuit({
      provider: "web-push",
      translate: toProviderError,
      refuse: circuitOpen,
      isDown: isUnavailable,
    });
    circuits.set(host, circuit);
    return circuit;
  };

  const isStandIn = (url: URL) => standIn !== null && url.origin === standIn;
  const isListed = ({ protocol, hostname, host, username, password }: URL) =>
    protocol === "https:" &&
    username === "" &&
    password === "" &&
    !isInside(hostname) &&
    hosts.some((each) => (each.startsWith(".") ? host.endsWith(each) : each === host));
  const addressOf = (endpoint: string) => {
    const url = URL.parse(endpoint);
    return url && (isListed(url) || isStandIn(url)) ? url : null;
  };

  return {
    accepts: (target) => addressOf(target.endpoint) !== null && hasKeys(target),
    newKeys: () => webPush.generateVAPIDKeys(),
    async send({ target, keys, text, ttlSeconds }) {
      const { endpoint, p256dh, auth } = target;
      const url = addressOf(endpoint);
      // The list of hosts may have changed since the subscription was stored.
      if (!url || !hasKeys(target))
        throw new ProviderError({ provider, kind: "invalid", message: messages.invalid });
      const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...keys },
        TTL: ttlSeconds,
        urgency: "high",
      });
      await circuitOf(url.host)(() => post(details, { isStandIn: isStandIn(url), timeoutMs }));
    },
  };
}
