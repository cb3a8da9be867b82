import type { Twilio } from "twilio";
import type VendorClient from "twilio/lib/base/RequestClient.js";
import type { ProviderEnv } from "../../env.ts";
import { createCircuit, isUnavailable } from "../resilience.ts";
import { circuitOpen, toProviderError } from "./errors.ts";

export type TwilioEnv = NonNullable<ProviderEnv["twilio"]>;

const vendorOrigin = "https://api.twilio.com";
/** An answer about a call has a few kilobytes. */
const answerBytesMax = 2 * 1024 * 1024;

/**
 * The vendor's REST client, sent to the configured address; loaded at first use, since the package takes a moment to load.
 * Every request ends after `timeoutMs`, however slowly an answer trickles in.
 */
async function openClient(env: TwilioEnv, timeoutMs: number): Promise<Twilio> {
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
      const uri = options.uri.startsWith(vendorOrigin)
        ? env.baseUrl.replace(/\/+$/, "") + options.uri.slice(vendorOrigin.length)
        : options.uri;
      return super.request<Data>({ ...options, uri });
    }
  }

  const username = env.apiKeySid ?? env.accountSid;
  const password = env.apiKeySid ? env.apiKeySecret : env.authToken;
  return new TwilioClient(username, password ?? env.authToken, {
    accountSid: env.accountSid,
    httpClient: new BaseUrlClient(),
  });
}

/** Asks Twilio: the SDK is loaded with the first request, and a circuit of its own stands before it. Errors: `ProviderError`. */
export function createRequests(env: TwilioEnv, timeoutMs: number) {
  let client: Promise<Twilio> | null = null;
  const circuit = createCircuit({ translate: toProviderError, refuse: circuitOpen, isDown: isUnavailable });
  return {
    /** For what the SDK does not do. */
    circuit,
    ask<T>(request: (twilio: Twilio) => Promise<T>): Promise<T> {
      client ??= openClient(env, timeoutMs);
      const opened = client;
      return circuit(async () => request(await opened));
    },
  };
}
