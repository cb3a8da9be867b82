import { setTimeout as sleep } from "node:timers/promises";
import type { Twilio } from "twilio";
import type VendorClient from "twilio/lib/base/RequestClient.js";
import { createCircuit, isUnavailable } from "../resilience.ts";
import { circuitOpen, toProviderError } from "./errors.ts";
import { type Login, type TwilioEnv, withLogin } from "./keys.ts";

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
