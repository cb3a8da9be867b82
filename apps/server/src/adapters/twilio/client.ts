import { setTimeout as sleep } from "node:timers/promises";
import type { Twilio } from "twilio";
import type VendorClient from "twilio/lib/base/RequestClient.js";
import { validateRequest } from "twilio/lib/webhooks/webhooks.js";
import type { ProviderEnv } from "../../env.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";
import { createCircuit, isUnavailable } from "../resilience.ts";

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

/** The vendor's hosts: `api` for calls, SMS and numbers, `messaging` for Messaging Services. */
const vendorOrigin = /^https:\/\/(api|messaging)\.twilio\.com/;
const vendorBase = "https://api.twilio.com";
/** A response about a call has a few kilobytes. */
const answerBytesMax = 2 * 1024 * 1024;

/**
 * Opens the vendor's REST client, with its hosts replaced by the configured address. Loaded on first use, because the package is slow to
 * load. Every request ends after `timeoutMs`, even if its response arrives slowly.
 */
async function openClient(env: TwilioEnv, login: Login, timeoutMs: number): Promise<Twilio> {
  const [{ default: TwilioClient }, { default: RequestClient }] = await Promise.all([
    import("twilio/lib/rest/Twilio.js"),
    import("twilio/lib/base/RequestClient.js"),
  ]);

  class BaseUrlClient extends RequestClient {
    constructor() {
      super({ timeout: timeoutMs });
      this.axios.defaults.maxContentLength = answerBytesMax;
      this.axios.interceptors.request.use((config) => {
        config.signal = AbortSignal.timeout(timeoutMs);
        return config;
      });
    }

    override request<Data>(options: VendorClient.RequestOptions<Data>) {
      const base = env.baseUrl.replace(/\/+$/, "");
      const uri = base === vendorBase ? options.uri : options.uri.replace(vendorOrigin, base);
      return super.request<Data>({ ...options, uri });
    }
  }

  return new TwilioClient(login.user, login.password, {
    accountSid: env.accountSid,
    httpClient: new BaseUrlClient(),
  });
}

/**
 * Too many concurrent requests. Twilio has not processed the request, so any request may be repeated (twilio.com/docs/api/errors/20429).
 */
const tooManyRequests = 20_429;
/** Pauses before such a request is repeated. Together they limit how long a rep waits. */
const pausesMs = [500, 1_000, 2_000];

/**
 * Sends requests to Twilio through a circuit breaker. The SDK is loaded with the first request. A request is repeated only if Twilio says
 * that it was not processed. Errors: `ProviderError`.
 */
export function createRequests(env: TwilioEnv, timeoutMs: number) {
  const clients = new Map<string, Promise<Twilio>>();
  const clientOf = (login: Login) => {
    const client = clients.get(login.password) ?? openClient(env, login, timeoutMs);
    clients.set(login.password, client);
    return client;
  };
  const circuit = createCircuit({
    provider: "twilio",
    translate: toProviderError,
    refuse: circuitOpen,
    isDown: isUnavailable,
  });
  return {
    /** For requests that the SDK does not support. */
    circuit,
    async ask<T>(request: (twilio: Twilio) => Promise<T>): Promise<T> {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await circuit(() => withLogin(env, async (login) => request(await clientOf(login))));
        } catch (error) {
          const pauseMs =
            toProviderError(error).providerCode === tooManyRequests ? pausesMs[attempt] : undefined;
          if (pauseMs === undefined) throw error;
          // Random, so that requests that were refused together are not repeated together.
          await sleep(pauseMs * (0.5 + Math.random()));
        }
      }
    },
  };
}

/** Keeps a page well below `answerBytesMax`: a call has 2 kB, an SMS up to 10. */
export const recordsPerPage = 100;
const numbersMax = 1_000;

/** A restricted API key may not list the account's numbers. */
const isForbidden = (error: unknown): boolean =>
  [401, 403].includes((error as { status?: number }).status ?? 0);

/**
 * Returns the system number and the account's other numbers whose calls or SMS go to our address; only the system number if the key may not
 * list numbers.
 */
export async function findOwnNumbers(
  twilio: Twilio,
  { phoneNumber }: Pick<TwilioEnv, "phoneNumber">,
  leadsTo: { field: "voiceUrl" | "smsUrl"; address: string },
): Promise<string[]> {
  const all = await twilio.incomingPhoneNumbers
    .list({ limit: numbersMax, pageSize: recordsPerPage })
    .catch((error: unknown) => {
      if (isForbidden(error)) return [];
      throw error;
    });
  const ours = all.filter((number) => number[leadsTo.field]?.split("#", 1)[0] === leadsTo.address);
  return [...new Set([phoneNumber, ...ours.map((number) => number.phoneNumber)])];
}

const provider = "twilio";

/** Messages for the rep, by error code of a call (twilio.com/docs/api/errors). Twilio's own text only goes to the log. */
const refusals: Record<number, string> = {
  10004: "Too many calls are under way on this account. Try again when one has ended.",
  21205:
    "The telephony settings of the portal are not right: its public address is refused. Tell an administrator.",
  21210: "The shared system number may not make calls. Tell an administrator.",
  21211: "Your phone number is not a number that can be called. Check it in Settings.",
  21212: "The shared system number may not make calls. Tell an administrator.",
  21213: "The shared system number may not make calls. Tell an administrator.",
  21214: "Your phone number cannot be reached. Check it in Settings.",
  21215: "Calls to the country of your phone number are not enabled. Tell an administrator.",
  21216: "Calls to your phone number are blocked by the provider. Tell an administrator.",
  21217: "Your phone number is not a number that can be called. Check it in Settings.",
  21219: "Your phone number is not verified for this trial account. Tell an administrator.",
  21408: "Calls to the country of your phone number are not enabled. Tell an administrator.",
};

const texts = {
  auth: "The telephony provider did not accept the portal's keys. Tell an administrator.",
  busy: "The telephony provider is busy. Nothing was dialled: please try again in a moment.",
  refused: "The telephony provider refused the call. Tell an administrator if it happens again.",
  unreachable: "The telephony provider cannot be reached. Nothing was dialled: please try again in a moment.",
  silent: "The telephony provider did not answer.",
  notFound: "The telephony provider does not know this call.",
  numberMissing: "The telephony provider's account does not have the system number. Tell an administrator.",
};

/** Codes of connections that were not established: the request cannot have taken effect. */
const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

interface Failure {
  status?: number;
  code?: number | string;
  headers?: Record<string, unknown>;
}

function byStatus(status: number): { kind: ProviderFailure; message: string; ambiguous: boolean } {
  if (status === 401 || status === 403) return { kind: "auth", message: texts.auth, ambiguous: false };
  if (status === 404) return { kind: "not-found", message: texts.notFound, ambiguous: false };
  // A 429 is never processed, so it may be repeated.
  if (status === 429) return { kind: "rate-limited", message: texts.busy, ambiguous: false };
  if (status >= 400 && status < 500) return { kind: "invalid", message: texts.refused, ambiguous: false };
  return { kind: "unavailable", message: texts.silent, ambiguous: true };
}

/** Converts an error of the SDK or the connection into a `ProviderError`. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { status, code } = (typeof error === "object" && error !== null ? error : {}) as Failure;
  if (typeof status === "number") {
    const providerCode = typeof code === "number" ? code : null;
    const said = byStatus(status);
    const message = (said.kind === "invalid" && providerCode && refusals[providerCode]) || said.message;
    return new ProviderError({ provider, ...said, message, providerCode, cause: error });
  }
  if (typeof code === "string" && neverSent.has(code)) {
    return new ProviderError({ provider, kind: "unavailable", message: texts.unreachable, cause: error });
  }
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: texts.silent,
    ambiguous: true,
    cause: error,
  });
}

/** The response is not as documented: a page, a truncated response, another structure. */
export function unreadableAnswer(cause: unknown): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.silent, ambiguous: true, cause });
}

/** The account does not have the system number, so it cannot be changed. */
export function numberMissing(): ProviderError {
  return new ProviderError({ provider, kind: "not-found", message: texts.numberMissing });
}

/** The error while the circuit is open. No request was sent. */
function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({ provider, kind: "unavailable", message: texts.unreachable, retryAfterSeconds });
}
