import { setTimeout as sleep } from "node:timers/promises";
import type { Twilio } from "twilio";
import type VendorClient from "twilio/lib/base/RequestClient.js";
import { createCircuit, isUnavailable } from "../resilience.ts";
import { circuitOpen, toProviderError } from "./errors.ts";
import { type Login, type TwilioEnv, withLogin } from "./keys.ts";

/** The vendor's hosts: `api` for calls, texts and numbers, `messaging` for Messaging Services. */
const vendorOrigin = /^https:\/\/(api|messaging)\.twilio\.com/;
const vendorBase = "https://api.twilio.com";
/** An answer about a call has a few kilobytes. */
const answerBytesMax = 2 * 1024 * 1024;

/**
 * The vendor's REST client, sent to the configured address in place of the vendor's hosts; loaded at first use, since the package takes a
 * moment to load.
 * Every request ends after `timeoutMs`, however slowly an answer trickles in.
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

/** Too many requests at once: Twilio has carried nothing out, so that any request may be made again (twilio.com/docs/api/errors/20429). */
const tooManyRequests = 20_429;
/** Pauses before such a request is made again; no rep waits longer than these together. */
const pausesMs = [500, 1_000, 2_000];

/**
 * Asks Twilio: the SDK is loaded with the first request, and a circuit of its own stands before it. A request is made again where Twilio says
 * that it was never processed, and never otherwise. Errors: `ProviderError`.
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
    /** For what the SDK does not do. */
    circuit,
    async ask<T>(request: (twilio: Twilio) => Promise<T>): Promise<T> {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await circuit(() => withLogin(env, async (login) => request(await clientOf(login))));
        } catch (error) {
          const pauseMs =
            toProviderError(error).providerCode === tooManyRequests ? pausesMs[attempt] : undefined;
          if (pauseMs === undefined) throw error;
          // Those who were refused together do not come again together.
          await sleep(pauseMs * (0.5 + Math.random()));
        }
      }
    },
  };
}

/** An answer of so many calls, texts or numbers stays far below what is read of one: a call has 2 kB, a text up to 10. */
export const recordsPerPage = 100;
const numbersMax = 1_000;

/** A restricted API key may not list the account's numbers. */
const isForbidden = (error: unknown): boolean =>
  [401, 403].includes((error as { status?: number }).status ?? 0);

/**
 * The system number, and the account's other numbers that send their calls, or texts, to an address of ours; the former alone where the key may not
 * list them.
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
